"""The lesson of Twenty-Eight."""

from __future__ import annotations

from ..lesson import Deal, Lesson, LessonStep

FIRST = Deal(
    "Your first hand of Twenty-Eight, with a partner opposite (seat 3) against two (seats 2 and "
    "4), all bots. Nothing counts here, and nothing can go wrong: do what the last line says, or "
    "try something else and see. hint explains, hand shows your cards, quit keeps your place.",
    seed=8,
    turns=(
        LessonStep(
            "In every suit the jack is highest: J 9 A K Q 10 8 7. A jack counts 3 points, a nine "
            "2, ace and ten 1: 28 in all. You see half of your cards, and your side says how many "
            "points it will take. Two jacks are 6 of them: a fair start. You speak first and must "
            "bid; the least is 14.",
            ("14",),
            "2",
            {
                "15": "Nobody has bid against you, and each point more is one that you must take.",
                "else": "Far too dear for two jacks: raise only if somebody goes above you.",
            },
        ),
        "pass",
        "pass",
        "pass",
        LessonStep(
            "Your bid stands, so you choose the trump, and you alone know it: lay one card face "
            "down, and its suit is trump. It cannot be played while it is hidden, so do not hide "
            "your best: of the diamonds the 7, and the jack stays in your hand.",
            ("7D",),
            "3",
            {
                "JD": "The jack could not be played then: hide the 7 of the same suit.",
                "JH": "The jack could not be played then; and diamonds you have two of.",
                "7C": "A single club makes no trump: diamonds you have two of, with the jack.",
            },
        ),
        LessonStep(
            "Now everybody has eight cards, and you lead. Suit must be followed; the highest of "
            "the suit led takes the trick, as long as the trump is hidden. Nothing beats a jack: "
            "lead one while everybody still has to follow.",
            ("JH",),
            "4",
            {
                "JS": "Good too; but you hold more hearts, so the others run out of them sooner.",
                "else": "A jack is surer, and its 3 points are safe only as long as all follow.",
            },
        ),
        "8H",
        "7H",
        "KH",
        LessonStep(
            "Three points. The other jack takes its trick too, and your partner (seat 3) may "
            "throw points on it.",
            ("JS",),
            "4",
            {"else": "The jack of spades first, before somebody has no spade any more."},
        ),
        "8S",
        "TS",
        "QS",
        LessonStep(
            "Seven points, the ten of your partner among them. Now the 7 of clubs, your only club. "
            "It takes nothing, but then you cannot follow clubs or spades any more, and that is "
            "how the trump comes out.",
            ("7C",),
            "4",
            {"else": "A heart may be trumped by now; lose the 7 first, which is worth nothing."},
        ),
        "JC",
        "8C",
        "TC",
        "9S",
        "7S",
        "KS",
        LessonStep(
            "You cannot follow spades: that calls for the trump. Your 7 is turned up, and from "
            "now on diamonds beat all the rest. Whoever called must trump; the lowest diamond "
            "will do, as you are the last to play.",
            ("7D",),
            "4",
            {"else": "That wins too, but the 7 is enough: 9 and jack take tricks of their own."},
        ),
        LessonStep(
            "Nine points. Lead trumps: nothing beats the jack, and it draws one from everybody who "
            "has any. Who has none left cannot trump your hearts any more.",
            ("JD",),
            "4",
            {
                "9D": "The 9 would win too, but begin with the jack: nothing at all beats it.",
                "else": "It may be trumped: draw the trumps first.",
            },
        ),
        "8D",
        "KD",
        "TD",
        LessonStep(
            "Thirteen. Your 9 is now the highest trump, and two are still out: draw them as well.",
            ("9D",),
            "4",
            {"else": "Two trumps are still out, and one of them might take it."},
        ),
        "QD",
        "QC",
        "AD",
        LessonStep(
            "Sixteen: the bid is made. Nobody has a trump any more. Your hearts are 9 and A; the "
            "jack is gone, so the 9 is the highest there is.",
            ("9H",),
            "4",
            {"AH": "The ace wins as well, but a good habit: the highest first."},
        ),
        "AC",
        "QH",
        "TH",
        LessonStep("All tricks are played: the last card.", ("AH",), "4"),
        "9C",
        "AS",
        "KC",
    ),
    over="You take 24 points, and 14 were bid: your side scores 1. A bid of 20 or "
    "more scores 2, of 25 or more 3; a bid that is missed costs one more than that. The first "
    "side with 5 points wins the game, and 5 below zero lose it. A good hand! Three exercises "
    "follow.",
)

BIDDING = Deal(
    "Exercise 1 of 3: bid or pass, and what to hide.",
    seed=118,
    turns=(
        "14",
        LessonStep(
            "Seat 4, on the other side, had to bid and said 14. You hold 7D JD AD KS. Pass, or "
            "bid 15? Type it; hint tells.",
            ("15",),
            "2",
            {
                "pass": "Then they choose the trump, and your diamonds are worth half.",
                "else": "15 is enough to be the highest: bid no more than you must.",
            },
            "15. Three diamonds with the jack make a good trump, and the side that chooses it has "
            "half the hand won.",
        ),
        "pass",
        "pass",
        "pass",
        LessonStep(
            "All pass, and you choose. Which card do you lay face down: 7D JD AD or KS? Type it; "
            "hint tells.",
            ("7D",),
            "3",
            {
                "JD": "Diamonds, yes; but the jack could not be played while it lies there.",
                "AD": "Diamonds, yes; but keep the ace, and hide the one that is worth nothing.",
                "KS": "A single king makes no trump.",
            },
            "The 7 of diamonds: your longest suit, with the jack, and the card of it that you "
            "miss least.",
        ),
    ),
    over="Right. With 15 you fail in one hand of five, and if you pass the others make theirs "
    "in more than half. The longest suit with the jack is trump, its lowest card hidden.",
)

PARTNER = Deal(
    "Exercise 2 of 3: your partner has bid.",
    seed=130,
    turns=(
        "14",
        "pass",
        LessonStep(
            "Your partner (seat 3) had to bid and said 14. You hold 7C JD 9H JS: 8 card points. "
            "Over your partner you must bid 20 at least. Do you? Type it; hint tells.",
            ("pass",),
            "2",
            {"else": "20 of 28 points, with four suits and no trump of yours: too dear."},
            "Pass. The contract is your side's already, for 14, and your jacks help your partner "
            "just as well; you have no suit of your own for 20.",
        ),
    ),
    over="Right. With 14 your side fails in one hand of eight, with 20 in seven of ten. Over the "
    "partner's bid one goes only with a hand that does it alone.",
)

TRUMPS = Deal(
    "Exercise 3 of 3: leading trumps. Six of eight tricks are played.",
    seed=13913,
    begun=32,
    turns=(
        "14",
        "pass",
        "pass",
        "15",
        "pass",
        "pass",
        "pass",
        "9D",
        "JH",
        "7H",
        "TH",
        "8H",
        "7C",
        "9C",
        "JC",
        "8C",
        "8D",
        "JD",
        "TD",
        "7D",
        "QH",
        "AD",
        "9H",
        "KH",
        "7S",
        "JS",
        "KS",
        "QS",
        "8S",
        "9S",
        "9D",
        "TS",
        LessonStep(
            "Your side bid 15 and has 12 points. Diamonds are trump: all but two are played, your "
            "king and a queen that somebody else holds. Hearts are played too, all but your ace. "
            "You lead from KD AH: which one first? Type it; hint tells.",
            ("KD",),
            "4",
            {"AH": "Nobody can follow hearts, so the queen of trumps takes it, and its point."},
            "The king of diamonds. Whoever has the queen must play it on your king, and then "
            "nobody can trump your ace of hearts any more.",
        ),
        "TC",
        "QC",
        "QD",
        LessonStep("The queen of trumps is gone. Now the ace of hearts is safe.", ("AH",), "4"),
        "AS",
        "AC",
        "KC",
    ),
    over="Both tricks are yours: 16 points, and 15 were bid. Had you led the ace, the other side's "
    "queen of trumps would have taken it, and the last trick had made 14 at most. Trumps first, "
    "when others have some left and yours are higher.",
)

LESSON = Lesson((FIRST, BIDDING, PARTNER, TRUMPS))
"""The lesson of Twenty-Eight."""
