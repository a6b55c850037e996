"""The lesson of Whist 22."""

from __future__ import annotations

from ..lesson import Deal, Lesson, LessonStep

FIRST = Deal(
    "Your first hand of Whist 22, against three bots. Nothing counts here, and nothing can go "
    "wrong: do what the last line says, or try something else and see. hint explains, hand shows "
    "your cards, quit keeps your place.",
    seed=10,
    turns=(
        "1",
        "0",
        "1",
        LessonStep(
            "The cards are 1 to 21 and the Fool, F, which counts 0 or 22. The highest takes the "
            "trick. Before the first, everybody says how many tricks they will take. You hold "
            "2 17 18 19 F: three high cards, but a 20 and a 21 are out there. Say two. (Three is "
            "forbidden: you bid last, and bids may not add up to the five tricks.)",
            ("2",),
            "2",
            {
                "0": "With 17 18 19 you cannot help taking a trick.",
                "1": "17 18 19 are worth more than one trick.",
                "else": "So many you will hardly take: a trick more or less costs a point.",
            },
        ),
        "20",
        "15",
        "14",
        LessonStep(
            "You may play any card: there is no suit to follow. The 20 has won this trick, unless "
            "you make the Fool a 22. You want two tricks, and 18 19 will do for them: so get rid "
            "of a card that might take one too many.",
            ("17",),
            "3",
            {
                "F22": "It wins; but then 17 18 19 are left, and you want one trick more only.",
                "else": "The 17 could take a trick too many later: lose it under the 20.",
            },
        ),
        "1",
        "5",
        "21",
        LessonStep(
            "The 21 is gone too: now your 18 and 19 are the highest cards but for the Fool, and "
            "that is yours. They will make your two tricks, so lose the 2 here, and keep the "
            "Fool: it takes a trick or none, as you like.",
            ("2",),
            "3",
            {
                "F22": "That is a trick, and then 18 and 19 make three: one too many.",
                "F0": "That loses too, but the Fool is worth more than the 2: keep it.",
                "else": "It would be lost under the 21, and is one of your two winners: keep it.",
            },
        ),
        "8",
        LessonStep(
            "An 8 is to beat. Count: you have none yet and want two, of the last three tricks. "
            "18 and 19 take the last two, so this one is not for you. As F22 the Fool would be a "
            "third winner; as F0 it loses to every card.",
            ("F0",),
            "3",
            {
                "F22": "You would take this one and both that come: three.",
                "else": "That makes two as well, if the Fool then goes as F0: let it go first.",
            },
        ),
        "7",
        "6",
        "9",
        LessonStep(
            "Now take it: the 18 cannot be beaten any more.",
            ("18",),
            "3",
            {"19": "It wins as well, and so will the 18 later: begin with the lower one."},
        ),
        "3",
        "13",
        LessonStep("And the last one with the 19. All tricks are played.", ("19",), "3"),
        "4",
        "10",
        "12",
    ),
    over="Two bid, two taken: you keep your 14 points. Who took a trick more or less has lost one "
    "for each. When somebody has none left, whoever has most wins. A good hand! Three "
    "exercises follow.",
)

COUNTING = Deal(
    "Exercise 1 of 3: counting winners.",
    seed=106,
    turns=(
        LessonStep(
            "You speak first, with 2 12 18 20 F. How many of the five tricks will you take? Type "
            "a number; hint tells.",
            ("2",),
            "2",
            {
                "0": "A 20 and an F that may be 22 will take something.",
                "1": "The 20, and the Fool as F22: that is two already.",
                "3": "The 18 takes a trick only if 19 and 21 let it.",
                "else": "Only four cards in your hand could ever win: do not count on all.",
            },
            "Two. The Fool as F22 beats everything; the 20 loses only to the 21 and the Fool, "
            "and that is yours. The 18 may win or be lost under a higher card, as you need it.",
        ),
    ),
    over="Right. Two fails one time in eight, one every second time, three more than every "
    "third. The Fool and the cards in the middle are what you steer with: bid what is sure.",
)

HOOKED = Deal(
    "Exercise 2 of 3: the hook. You are the dealer and bid last.",
    seed=104,
    turns=(
        "3",
        "1",
        "0",
        LessonStep(
            "The bids so far are 3, 1 and 0: four of five tricks. So one is forbidden to you. You "
            "hold 1 3 11 16 19. Above it or below? Type a number; hint tells.",
            ("0",),
            "2",
            {
                "2": "Others want four tricks: they will fight for what your 16 and 19 could win.",
                "else": "With five cards like these? The 19 is your only high one.",
            },
            "A bid of 0. Others want four tricks and hold the highest cards: 16 and 19 can be lost "
            "under them. To take two tricks with 16 and 19 you need luck.",
        ),
    ),
    over="Right. A bid of 0 is made nearly always here, one of 2 only every second time. Many "
    "bids mean that others take tricks: then your high cards can be lost under theirs.",
)

LOSING = Deal(
    "Exercise 3 of 3: what to lose. You have bid 1, and one trick is played.",
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
            "You have bid one, and taken none so far. You hold 1 4 18 21, and the 20 is to beat; "
            "you are the last to play. Which card? Type it; hint tells.",
            ("18",),
            "3",
            {
                "21": "That is your one trick; but then the 18 may well take another.",
                "else": "A low card is no danger later: lose one that is.",
            },
            "The 18. The 21 takes your one trick whenever you like, so the 18 is one winner too "
            "many: under the 20 it is gone.",
        ),
    ),
    over="Right. Keep the cards that surely win or surely lose, and lose the others while a "
    "higher one lies on the table. With a low card instead you miss two times in five.",
)

LESSON = Lesson((FIRST, COUNTING, HOOKED, LOSING))
"""The lesson of Whist 22."""
