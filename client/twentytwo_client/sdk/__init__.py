"""For writers of bots in Python: connect, sit down, answer questions. It needs asyncio alone.

Its names are those of the package: `from twentytwo_client import connect`.

    import asyncio
    from twentytwo_client import connect

    async def main():
        async with connect("localhost:2222", name="robin") as server:
            table = await server.practice(bots=3, seed=42)
            async for question in table.questions():
                await question.play(question.default)
            print(table.places)

    asyncio.run(main())

Without asyncio it is the same with `with` and `for`, and without `await`. docs/sdk.md has an
example of everything.

A lost connection is made again, the seats are taken back, and a move whose reply was lost is sent
again. To see what arrives, use
`logging.getLogger("twentytwo.sdk").setLevel("DEBUG")`.
"""
