"""The lesson of Twenty-Eight."""

from __future__ import annotations

from ..lesson import Deal, Lesson, LessonStep

FIRST = Deal(
    "Your first hand of Twenty-Eight, with a partner opposite (seat 3) against seats 2 and 4; all "
    "three are bots. This hand is for practice only: do what the last line says, or try something "
    "else and see. hint explains, hand shows your cards, quit saves your progress.",
    seed=8,
    turns=(
        LessonStep(
            "In every suit the jack is highest: J 9 A K Q 10 8 7. A jack counts 3 points, a nine "
            "2, ace and ten 1: 28 in all. Now you have half of your cards, and the players bid "
            "how many points their side will take. Your two jacks are worth 6: a fair start. You "
            "bid first and may not pass; the lowest bid is 14.",
            ("14",),
            "2",
            {
                "15": "Nobody has bid against you, and your side must take every point that "
                "you bid.",
                "else": "Far too much for two jacks: bid more only if another player outbids you.",
            },
        ),
        "pass",
        "pass",
        "pass",
        LessonStep(
            "You have won the auction, so you choose the trump: lay one card face down, and its "
            "suit is trump. Only you know it. The card cannot be played while it is hidden, so do "
            "not hide a good one: lay down the 7 of diamonds, and keep the jack.",
            ("7D",),
            "3",
            {
                "JD": "Then you could not play the jack: hide the 7 of the same suit.",
                "JH": "Then you could not play the jack; and you have two diamonds.",
                "7C": "One club is too few for a trump suit: you have two diamonds, with the jack.",
            },
        ),
        LessonStep(
            "Now everybody has eight cards, and you lead. Players must follow suit if they can. "
            "While the trump is hidden, the highest card of the suit led takes the trick. Nothing "
            "beats a jack: lead one while everybody still has to follow.",
            ("JH",),
            "4",
            {
                "JS": "Good too, but you hold more hearts, so the others run out of them sooner.",
                "else": "A jack is surer, and its 3 points are safe only while everybody can "
                "follow.",
            },
        ),
        "8H",
        "7H",
        "KH",
        LessonStep(
            "You have three points. The other jack takes a trick too, and your partner (seat 3) "
            "may add points to it.",
            ("JS",),
            "4",
            {"else": "The jack of spades first, while everybody still has a spade."},
        ),
        "8S",
        "TS",
        "QS",
        LessonStep(
            "You have seven points, one of them from your partner's ten. Now play the 7 of clubs, "
            "your only club. It takes no trick, but after it you cannot follow clubs or spades "
            "any more. Then you can call for the trump.",
            ("7C",),
            "4",
            {"else": "A heart may be trumped by now; play the worthless 7 first."},
        ),
        "JC",
        "8C",
        "TC",
        "9S",
        "7S",
        "KS",
        LessonStep(
            "You cannot follow spades, and so you call for the trump: your 7 is turned up, and "
            "from now on diamonds beat all other suits. The player who calls must play a trump. "
            "You play last, so the lowest diamond is enough.",
            ("7D",),
            "4",
            {"else": "That wins too, but the 7 is enough: 9 and jack will take other tricks."},
        ),
        LessonStep(
            "You have nine points. Lead trumps: nothing beats the jack, and every player with a "
            "trump must play one. Players without trumps cannot trump your hearts any more.",
            ("JD",),
            "4",
            {
                "9D": "The 9 may win too, but begin with the jack: nothing beats it.",
                "else": "Another player may trump it: draw the trumps first.",
            },
        ),
        "8D",
        "KD",
        "TD",
        LessonStep(
            "You have thirteen points. Your 9 is now the highest trump, and the others still "
            "hold two: "
            "draw them as well.",
            ("9D",),
            "4",
            {"else": "The others still hold two trumps, and one of them might take it."},
        ),
        "QD",
        "QC",
        "AD",
        LessonStep(
            "You have sixteen points: your bid is made. Nobody has a trump any more. Your hearts "
            "are 9 and A; the jack is gone, so the 9 is the highest heart.",
            ("9H",),
            "4",
            {"AH": "The ace wins too, but playing the highest card first is a good habit."},
        ),
        "AC",
        "QH",
        "TH",
        LessonStep("Play your last card.", ("AH",), "4"),
        "9C",
        "AS",
        "KC",
    ),
    over="Your side took 24 points and had bid 14: it scores 1. A bid of 20 or more scores 2, a "
    "bid of 25 or more 3. A bid that fails costs one more than it would have scored. The first "
    "side with 5 points wins the game; a side with 5 points below zero loses it. A good hand! "
    "Three exercises follow.",
)

BIDDING = Deal(
    "Exercise 1 of 3: bid or pass, and which card to hide.",
    seed=118,
    turns=(
        "14",
        LessonStep(
            "Seat 4, an opponent, had to bid and bid 14. You hold 7D JD AD KS. Pass, or bid 15? "
            "Type it; hint shows the answer.",
            ("15",),
            "2",
            {
                "pass": "Then the opponents choose the trump, and your diamonds are worth half.",
                "else": "15 is enough to outbid seat 4: bid no more than you must.",
            },
            "15. Three diamonds with the jack are a good trump suit, and choosing the trump is a "
            "great advantage.",
        ),
        "pass",
        "pass",
        "pass",
        LessonStep(
            "The others pass, and you choose the trump. Which card do you lay face down: 7D JD AD "
            "or KS? Type it; hint shows the answer.",
            ("7D",),
            "3",
            {
                "JD": "The suit is right, but you could not play the jack while it is hidden.",
                "AD": "The suit is right, but keep the ace, and hide the card that is worth "
                "nothing.",
                "KS": "One spade is too few for a trump suit.",
            },
            "The 7 of diamonds: diamonds are your longest suit, with the jack, and the 7 is its "
            "least useful card.",
        ),
    ),
    over="Right. A bid of 15 fails in one hand of five; if you pass, the opponents make their bid "
    "in more than half of the hands. Choose your longest suit with the jack as trump, and hide its "
    "lowest card.",
)

PARTNER = Deal(
    "Exercise 2 of 3: your partner has bid.",
    seed=130,
    turns=(
        "14",
        "pass",
        LessonStep(
            "Your partner (seat 3) had to bid and bid 14. You hold 7C JD 9H JS: 8 card points. To "
            "outbid your partner you must bid at least 20. Pass, or bid 20? Type it; hint shows "
            "the answer.",
            ("pass",),
            "2",
            {"else": "20 of 28 points is too much with one card of each suit."},
            "Pass. Your side has the highest bid already, with only 14, and your jacks help your "
            "partner as well. You have no long suit for a bid of 20.",
        ),
    ),
    over="Right. A bid of 14 fails in one hand of eight, a bid of 20 in seven of ten. Outbid your "
    "partner only with a hand that can make the bid alone.",
)

TRUMPS = Deal(
    "Exercise 3 of 3: leading trumps. Six of eight tricks have been played.",
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
            "Your side bid 15 and has 12 points. Diamonds are trump. Only two are left: your king, "
            "and the queen in another hand. The only heart left is your ace. You lead from KD AH: "
            "which card first? Type it; hint shows the answer.",
            ("KD",),
            "4",
            {"AH": "Nobody can follow hearts, so the queen of trumps takes your ace."},
            "The king of diamonds. The player with the queen must play it, and then nobody can "
            "trump your ace of hearts any more.",
        ),
        "TC",
        "QC",
        "QD",
        LessonStep("The queen of trumps is gone. Now the ace of hearts is safe.", ("AH",), "4"),
        "AS",
        "AC",
        "KC",
    ),
    over="You took both tricks: your side has 16 points and had bid 15. If you had led the ace, "
    "the opponents' queen of trumps would have taken it, and your side would have had at most 14. "
    "Lead trumps first when the others still have some and yours are higher.",
)

LESSON = Lesson((FIRST, BIDDING, PARTNER, TRUMPS))
"""The lesson of Twenty-Eight."""
