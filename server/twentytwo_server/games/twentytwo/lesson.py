"""The lessons of Twenty-Two and Twenty-Six."""

from __future__ import annotations

from ..lesson import Deal, Lesson, LessonStep
from .last_cards import how_often

FIRST = Deal(
    "Your first hand of Twenty-Two, against three bots. This hand is for practice only: do what "
    "the last line says, or try something else and see. hint explains, hand shows your cards, quit "
    "saves your progress.",
    seed=5,
    turns=(
        "8D+8S+9D+9S+JH",
        LessonStep(
            "Aces are high, twos are low, suits do not matter. At the end everybody shows one "
            "last card, and the highest loses. So keep one low card for the end. Other low cards "
            "go where you do not win a trick, and high cards win tricks. The middle cards do "
            "neither well: exchange them.",
            ("6+T+T",),
            "3",
            {
                "-": "6 10 10 are too high to keep and too low to win with.",
                "else": "Keep the low and the high cards, and throw the middle ones.",
            },
        ),
        "7C+7S+5D+5H+JD",
        "8H+6D+6H+TC+JC",
        "Q+Q",
        LessonStep(
            "Two queens are led, so everybody plays two cards: either two that equal or beat "
            "them one by one, or else the two lowest in the hand. A K would beat them, but "
            "then both are gone, and the hand is long. Throw your lowest: low cards are for "
            "that, too, and you have more of them for the end, 4 and 5.",
            ("3+3",),
            "4",
            {"A+K": "A K beats them, but you need both later to get rid of the middle."},
        ),
        "K+Q",
        "A+Q",
        "T",
        "2",
        LessonStep(
            "Whoever plays highest takes the trick and leads the next. A trick is good for "
            "nothing else: nobody counts tricks. A 10 is led. It is still early: throw your "
            "lowest. The 5 that you keep is low enough for the end, more often than not.",
            ("4",),
            "4",
            {"else": "You could win it, but a high card is worth more near the end."},
        ),
        "A",
        "7",
        "3",
        "9",
        LessonStep(
            "Now count. You hold 5 J K A, and three of them will be played. Throw the 5, and one "
            "of J K A is your last card. So win this trick, and then you choose what to lead. "
            "The jack is enough.",
            ("J",),
            "4",
            {
                "5": "Then only J K A are left, and one of them would be your last card.",
                "else": "That wins too, but the jack is enough: keep A K to lead.",
            },
        ),
        LessonStep(
            "You lead, and play what you like; at least one card must stay in your hand. Stay in "
            "the lead and get rid of what is high. Nothing beats an ace but another ace.",
            ("A",),
            "4",
            {
                "K": "An ace could take it, and then you would be left with yours.",
                "5": "The 5 is the card to keep to the end.",
            },
        ),
        "2",
        "4",
        "2",
        LessonStep(
            "Two cards are left. One you lead, the other is your last card, and the highest of "
            "the last cards loses. Which one do you keep?",
            ("K",),
            "5",
            {"5": "Then the king is your last card: nobody will have a higher one."},
        ),
        "2",
        "4",
        "4",
    ),
    over="You keep the 5, somebody has a 6: the highest last card loses the hand. Its owner "
    "scores 6 points; an ace costs 11, king, queen and jack 10 each. A player with 22 is out, "
    "and the last player left wins. You have won this hand! Three exercises follow.",
)

THROWING = Deal(
    "Exercise 1 of 3: what to throw.",
    seed=106,
    turns=(
        LessonStep(
            f"You hold 5 6 6 7 8 8 Q. A player with an 8 at the end {how_often('8')}, and "
            "hardly any of these cards wins a trick. Which cards do you throw, and how many? "
            "Type exchange and the cards; hint shows the answer.",
            ("5+6+6+7+8+8", "5+6+6+7+8+8+Q"),
            "3",
            {
                "-": "There is nothing in this hand that you want at the end: throw.",
                "6+6+7+8+8": f"Nearly as good; but a 5 at the end {how_often('5')}: throw it.",
                "8+8": "More! Even the 5 is worse than what you may draw for it.",
                "else": "Of all these only the queen wins a trick: throw the others, all six.",
            },
            "All but the queen: nothing here is low enough for the end, and only the queen wins a "
            "trick. Seven new cards are about as good.",
        ),
    ),
    over="Right. With six or seven new cards you lose this hand two times in five; with three or "
    "four it would be every second time. Throw a bad hand away boldly.",
)

HEADING = Deal(
    "Exercise 2 of 3: when to take a trick, and with what. Four cards, no exchange.",
    seed=486,
    options={"exchange": "off", "first_hand": "4"},
    turns=(
        "9",
        "T",
        "T",
        LessonStep(
            "You hold 3 8 10 K, and a 10 is to beat. You may throw the 3, or take the trick with "
            "the 10, which equals it (the last of equals wins), or with the king. Which? Type a "
            "card; hint shows the answer.",
            ("T",),
            "4",
            {
                "3": "Then you keep 8 10 K, and one of them is your last card.",
                "K": "It wins too; but the 10 stays with you, and the king is gone to win with.",
            },
            "The 10. It is the lowest card that wins, and the last player cannot be beaten any "
            "more. The king stays, to win another trick; the 3 stays for the end.",
        ),
    ),
    over="Right. After the 10 you lose one hand of five, after the king one of three, after the 3 "
    "three of five: a player with high cards has to win tricks to get rid of them.",
)

KEEPING = Deal(
    "Exercise 3 of 3: what to lead, and what to keep. Four cards, no exchange.",
    seed=54,
    options={"exchange": "off", "first_hand": "4"},
    turns=(
        LessonStep(
            "You lead from 8 Q Q A. One card must stay, and the 8 is the one that you want to "
            "have last. How do you get rid of the others? Type your lead; hint shows the answer.",
            ("Q+Q",),
            "4",
            {
                "8": "Then an ace or a queen is your last card: nearly always lost.",
                "A": "The ace wins, but then two queens and the 8 are still to go.",
                "Q": "Then three cards are left, with a queen among them: lead both at once.",
            },
            "Both queens at once. Hardly anybody has two cards that beat them, so all the others "
            "throw their lowest two, the very cards that they wanted to keep, and the ace is "
            "left to win the next trick.",
        ),
        "3+2",
        "3+2",
        "6+2",
        LessonStep(
            "All three have thrown their low cards. Now the last trick before the end: you hold "
            "8 A. Which one do you lead?",
            ("A",),
            "5",
            {"8": "Then the ace is your last card, and no card is higher."},
            "The ace: the card that stays is the one that counts.",
        ),
        "9",
        "A",
        "9",
    ),
    over="Right: a set takes the low cards out of everybody's hand, and an ace led at the end "
    "leaves you the 8, while others are left with kings and jacks.",
)

LESSON = Lesson((FIRST, THROWING, HEADING, KEEPING))
"""The lesson of Twenty-Two."""

FIRST_26 = Deal(
    "Your first hand of Twenty-Six, against three bots. It is Twenty-Two with two packs and four "
    "jokers, to 26 points; tutorial twentytwo teaches what both have in common. Do what the last "
    "line says, or try something else and see. hint explains, quit saves your progress.",
    seed=12,
    turns=(
        "7D+7S+6H+5S",
        LessonStep(
            "As in Twenty-Two the highest last card loses, and a joker is higher than an ace: "
            "a player who shows one at the end scores 13 points. But a joker wins tricks. Your 2 "
            "is low enough for the end; throw the middle cards.",
            ("6+8+9+9+9",),
            "3",
            {
                "-": "6 8 9 9 9 are too high for the end and too low to win.",
                "6+8+9+9+9+X": "A good throw, too; but keep the joker here, and learn to play it.",
                "else": "Keep the 2 for the end and the joker for a trick; throw all the others.",
            },
        ),
        "9D+TD+JS",
        "7C+7H+9H+5C+JS",
        "J",
        LessonStep(
            "A jack is led: equal or beat it, or throw your lowest. The joker may not be played "
            "alone while you hold another card: it needs company, and takes its rank. It is "
            "early: throw your lowest. Another 2, and a 3, are left for the end.",
            ("2",),
            "9",
            {"K": "A king may be beaten still, and then it is gone: it is early."},
        ),
        "A",
        "2",
        "7",
        "8",
        "8",
        LessonStep(
            "You are the last to play, so any card above the 8 wins for sure, and then you lead. "
            "You need the lead: the best way to get rid of a joker is to lead it, together with a "
            "card. The 10 is enough.",
            ("T",),
            "4",
            {
                "2": "Then others lead single cards, and a joker cannot follow alone.",
                "K": "It wins too, but the 10 is enough: keep the king for another trick.",
            },
        ),
        LessonStep(
            "You lead. Beside a 6 the joker is a 6: two sixes. Lead them, and joker and 6 are "
            "both gone; somebody else may well win the trick, and that is all right.",
            ("X+6",),
            "9",
            {
                "X+K": "Two kings would win, but then the 6 and the 3 are what is left with you.",
                "X+2": "That takes the 2, which is to be your last card, out of your hand.",
                "X+3": "The 3 is low enough to keep; the 6 is the one to lose.",
                "else": "A joker never goes alone: lead it now, with the 6, and both are gone.",
            },
        ),
        "4+3",
        "Q+Q",
        "3+2",
        "K",
        "3",
        LessonStep(
            "A king to beat. An equal card will do, and of equals the last one wins: so you may "
            "play yours. It is too high to keep: let it go now, whether it wins or not.",
            ("K",),
            "4",
            {"2": "The 2 is the card for the end; the king must go before."},
        ),
        "A",
        "5",
        "2",
        "Q",
        LessonStep(
            "A queen to beat, and you cannot: so you throw your lowest, the 2. That leaves the 3 "
            "as your last card.",
            ("2",),
            "4",
        ),
    ),
    over="You keep the 3, and a 5 is the highest: its owner loses the hand. A joker would have "
    "cost 13 points; with 26 one is out. You have won this hand! Three exercises follow.",
)

SETS_26 = Deal(
    "Exercise 1 of 3: what to lead. Four cards, no exchange.",
    seed=212,
    options={"exchange": "off", "first_hand": "4"},
    turns=(
        LessonStep(
            "You lead from 2 6 8 8. The 2 is the card for the end. What do you lead? Type a card, "
            "or several of one rank; hint shows the answer.",
            ("8+8",),
            "4",
            {
                "8": "One 8 is beaten easily, and the other one is still there.",
                "2": "The 2 is what you want to show at the end.",
                "6": "Then you may never lead again, and the eights stay with you.",
            },
            "Both eights at once. Few hands can beat a pair, so the others throw their two lowest "
            "cards; either way your eights are gone, and the 6 and the 2 are left.",
        ),
    ),
    over="Right. With the pair you lose one hand of twenty, with a single 8 one of four: a set "
    "is led while you hold it.",
)

COMPANY_26 = Deal(
    "Exercise 2 of 3: the joker in company. Four cards, no exchange.",
    seed=2250,
    options={"exchange": "off", "first_hand": "4"},
    turns=(
        "X+4",
        "Q+9",
        "5+3",
        LessonStep(
            "You hold 7 Q A and a joker, and Q 9 is to beat. You are the last to play. The joker "
            "goes only with another card, and counts as one more of it. What do you play? Type "
            "it; hint shows the answer.",
            ("X+Q",),
            "9",
            {
                "X+A": "The joker goes, but so does the ace, which would win your next trick.",
                "else": "Then the joker stays, and whoever shows it at the end loses.",
            },
            "Joker and queen: two queens beat Q 9, and the joker is gone. You lead next from 7 A: "
            "the ace goes, and the 7 is your last card.",
        ),
    ),
    over="Right. So you lose one hand of thirty, with joker and ace one of twelve, and every one "
    "if the joker stays: a chance to be rid of it is worth a good card beside it.",
)

SHEDDING_26 = Deal(
    "Exercise 3 of 3: getting rid of the joker. Four cards, no exchange; one trick is played.",
    seed=205,
    options={"exchange": "off", "first_hand": "4"},
    begun=4,
    turns=(
        "J",
        "2",
        "J",
        "Q",
        LessonStep(
            "You have taken the trick and lead from Q K and a joker. One card will be left, "
            "and a joker at the end is the worst of all. What do you lead? Type it; hint shows the "
            "answer.",
            ("X+K",),
            "9",
            {
                "X+Q": "The joker is gone, but the king is left: the queen is the lower one.",
                "else": "Then the joker stays to the end: it cannot go alone, and always loses.",
            },
            "Joker and king: the joker counts as a second king. Both high cards are gone in one "
            "trick, and the queen is the lowest of the three that you can keep.",
        ),
    ),
    over="Right. At the end the queen loses about every third hand here, the king more than every "
    "second one, and the joker all of them.",
)

LESSON_26 = Lesson((FIRST_26, SETS_26, COMPANY_26, SHEDDING_26))
"""The lesson of Twenty-Six."""
