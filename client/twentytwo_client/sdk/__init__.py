"""The SDK for bots in Python: connect, sit down, answer questions. It needs asyncio alone.

Its names can be imported from the package: `from twentytwo_client import connect`.

    import asyncio
    from twentytwo_client import connect

    async def main():
        async with connect("localhost:2222", name="robin") as server:
            table = await server.practice(bots=3, seed=42)
            async for question in table.questions():
                await question.play(question.default)
            print(table.places)

    asyncio.run(main())

Programs without asyncio use `with` and `for`, without `await`. docs/sdk.md has an example of every
function.

The SDK reconnects after a lost connection, takes the seats back, and repeats a move whose reply was
lost. To log the traffic, use `logging.getLogger("twentytwo.sdk").setLevel("DEBUG")`.
"""
