"""The lesson of Whist 22."""

from __future__ import annotations

from ..lesson import Deal, Lesson, LessonStep

FIRST = Deal(
    "Your first hand of Whist 22, against three bots. This hand is for practice only: do what the "
    "last line says, or try something else and see. hint explains, hand shows your cards, quit "
    "saves your progress.",
    seed=10,
    turns=(
        "1",
        "0",
        "1",
        LessonStep(
            "The cards are 1 to 21 and the Fool, F, which counts 0 or 22. The highest card takes "
            "the trick. Before the first trick each player bids: the number of tricks that they "
            "will take. You hold 2 17 18 19 F: three high cards, but others may have the 20 and "
            "the 21. Bid two. (Three is forbidden: you bid last, and the bids may not add up to "
            "five, the number of tricks.)",
            ("2",),
            "2",
            {
                "0": "With 17 18 19 you will take a trick, like it or not.",
                "1": "17 18 19 are worth more than one trick.",
                "else": "You will hardly take so many; each trick off the bid costs a point.",
            },
        ),
        "20",
        "15",
        "14",
        LessonStep(
            "You may play any card: there is no suit to follow. The 20 wins this trick, unless you "
            "play the Fool as a 22. You need two tricks, and 18 and 19 are enough for them. So get "
            "rid of a card that might take a third.",
            ("17",),
            "3",
            {
                "F22": "It wins, but you keep 17 18 19 and need only one more trick.",
                "else": "The 17 could take a trick too many later: lose it under the 20.",
            },
        ),
        "1",
        "5",
        "21",
        LessonStep(
            "The 21 is gone too. Now only the Fool beats your 18 and 19, and you hold the Fool "
            "yourself. So 18 and 19 will take your two tricks. Throw the 2 here, and keep the "
            "Fool: it takes a trick or none, as you like.",
            ("2",),
            "3",
            {
                "F22": "That takes a trick, and 18 and 19 take two more: one too many.",
                "F0": "That loses too, but the Fool is more useful than the 2: keep it.",
                "else": "It would lose to the 21, and is one of your two winners: keep it.",
            },
        ),
        "8",
        LessonStep(
            "The card to beat is the 8. You have no trick yet and need two of the last three. 18 "
            "and 19 will take the last two, so lose this one. As F22 the Fool would be a third "
            "winner; as F0 it loses to every card.",
            ("F0",),
            "3",
            {
                "F22": "You would take this trick and the last two: three.",
                "else": "You can still take two if you play F0 later; but play it now.",
            },
        ),
        "7",
        "6",
        "9",
        LessonStep(
            "Now take the trick: nobody can beat the 18 any more.",
            ("18",),
            "3",
            {"19": "It wins too, and the 18 will win later; but play the lower one first."},
        ),
        "3",
        "13",
        LessonStep("Take the last trick with the 19.", ("19",), "3"),
        "4",
        "10",
        "12",
    ),
    over="You bid two and took two: you keep your 14 points. Each trick above or below the bid "
    "costs a player one point. When a player has no points left, the player with the most wins. A "
    "good hand! Three exercises follow.",
)

COUNTING = Deal(
    "Exercise 1 of 3: counting winners.",
    seed=106,
    turns=(
        LessonStep(
            "You bid first and hold 2 12 18 20 F. How many of the five tricks will you take? Type "
            "a number; hint shows the answer.",
            ("2",),
            "2",
            {
                "0": "The 20, and the Fool as F22, will take a trick.",
                "1": "The 20 and the Fool as F22 are two already.",
                "3": "The 18 takes a trick only if the 19 and the 21 are gone.",
                "else": "Only four cards in your hand can win, and not all of them will.",
            },
            "Two. The Fool as F22 beats everything. The 20 loses only to the 21 and to the Fool, "
            "which you hold. With the 18 you can win, or lose it to a higher card, as you need.",
        ),
    ),
    over="Right. A bid of two fails one time in eight, a bid of one every second time, a bid of "
    "three more often than every third. Bid your sure tricks; with the Fool and the middle cards "
    "you can take one more or one less.",
)

HOOKED = Deal(
    "Exercise 2 of 3: the hook. You are the dealer and bid last.",
    seed=104,
    turns=(
        "3",
        "1",
        "0",
        LessonStep(
            "The bids so far are 3, 1 and 0: four of five tricks. So you may not bid one. You hold "
            "1 3 11 16 19. More or less than one? Type a number; hint shows the answer.",
            ("0",),
            "2",
            {
                "2": "The others need four tricks: they will beat your 16 and 19.",
                "else": "Your cards are too low for that: only the 19 is high.",
            },
            "Bid 0. The others need four tricks and hold the highest cards, so you can lose 16 and "
            "19 to them. To take two tricks with 16 and 19 you need luck.",
        ),
    ),
    over="Right. Here a bid of 0 succeeds nearly always, a bid of 2 only every second time. When "
    "the others bid many tricks, you can lose your high cards to theirs.",
)

LOSING = Deal(
    "Exercise 3 of 3: which card to lose. You have bid 1, and one trick has been played.",
    seed=121,
    begun=11,
    turns=(
        "2",
        "0",
        "1",
        "1",
        "17",
        "16",
        "14",
        "11",
        "20",
        "6",
        "15",
        LessonStep(
            "You have bid one trick and taken none so far. You hold 1 4 18 21, the card to beat is "
            "the 20, and you play last. Which card? Type it; hint shows the answer.",
            ("18",),
            "3",
            {
                "21": "That is your one trick, but then the 18 will probably take another.",
                "else": "A low card will lose anyway: lose one that could take a trick.",
            },
            "The 18. The 21 takes your one trick whenever you like, so the 18 might take one too "
            "many: lose it to the 20.",
        ),
    ),
    over="Right. Keep the cards that surely win or surely lose, and lose the others when a higher "
    "card is on the table. With a low card instead you miss your bid two times in five.",
)

LESSON = Lesson((FIRST, COUNTING, HOOKED, LOSING))
"""The lesson of Whist 22."""
