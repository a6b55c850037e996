/**
 * The picture of a table: the seats in the order of play, the trick, the hand, what can be done.
 * @module
 */

import { back, face, nameOf, namesOf, suitOf } from "./cards.js";
import { button, el } from "./dom.js";
import { sentence, withCards } from "./sentences.js";
import { GAMES, cardsOf, inHand, partsOf } from "./sdk/index.js";
import { spoken } from "./spoken.js";

/** @typedef {import("./sdk/index.js").Table} Table */
/** @typedef {import("./sdk/index.js").Question} Question */
/** @typedef {import("./sdk/index.js").Seat} Seat */
/** @typedef {import("./sdk/index.js").TableModel} Model */
/** @typedef {import("./sdk/words.js").Event} Event */
/** @typedef {import("./story.js").Story} Story */
/** @typedef {Pick<Table, "state" | "timeLeft">} Shown a table, or a past state of one */
/**
 * The parts of a table's picture that are not its events.
 * @typedef {object} Look
 * @property {Question | undefined} question that the viewer has not answered yet
 * @property {string[]} chosen the cards of the hand that are chosen
 * @property {string} problem why the last tap did nothing, or empty
 * @property {string} advice a hint
 * @property {string} suggested the move that a lesson names, or empty
 * @property {import("./sdk/words.js").Lesson & { past?: boolean }} [lesson] the step of a lesson
 * @property {string} word of a private table
 * @property {boolean} daily the game was a daily deal, and is finished
 */

/**
 * @param {Table} table
 * @param {Story} story
 * @param {Look} look
 */
export function tablePicture(table, story, look) {
  const model = table.state;
  return el("section", { class: `table ${model.phase}`, "data-key": table.on, "aria-label": `Table ${table.on}` },
    bar(model, look),
    felt(table, story),
    mine(table, story, look),
  );
}

/** So many players have room for longer lines, and for a trick whose places are all kept. */
const FEW = 6;

/**
 * The players and the trick. Lines that come and go have their place even when they are empty:
 * nothing on the table moves by itself.
 * @param {Shown} table @param {Story} story
 */
export const felt = (table, story) =>
  el("div", { class: "felt", tabindex: 0, role: "group", "aria-label": "The table" },
    el("ol", { class: `seats${table.state.seats.size > FEW ? " many" : ""}`, "aria-label": "The other players, in the order of play" },
      ...others(table.state).map((seat) => plate(table, story, seat))),
    trick(table.state, story),
  );

/** @param {Model} model @param {Look} look */
function bar(model, look) {
  const facts = [];
  const { hand, game } = model;
  if (model.phase === "playing" && hand) facts.push(`Hand ${hand.no}`);
  if (model.stock) facts.push(`${model.stock} left`);
  if (game?.target) facts.push(`up to ${game.target}`);
  if (isRated(model)) facts.push("rated");
  const trump = trumpOf(model);
  if (trump) facts.push(trump);
  const contract = last(model, "CONTRACT");
  if (contract) facts.push(`${nameIn(model, contract.seat)}: ${contract.bid} to make`);
  return el("header", { class: "bar" },
    el("h1", {}, titleOf(model), " ", el("small", {}, model.on)),
    el("p", { class: "facts" }, facts.join(" · ")),
    look.word && button("invite", "Invite"),
    button("menu", "Menu", { class: "quiet", "aria-haspopup": "dialog" }),
  );
}

/** @param {Model} model The games here count for ratings. */
const isRated = (model) => model.options.get("rated") === "yes";

/** @param {Model} model The name of the game. */
export const titleOf = (model) =>
  GAMES[model.game?.game ?? model.options.get("game") ?? ""]?.title ?? "A table";

/** @param {Model} model */
function trumpOf(model) {
  const turned = /** @type {{ suit?: string, shown?: boolean } | undefined} */ (
    /** @type {unknown} */ (model.standing.filter((each) => each.ev === "TRUMP").at(-1)));
  if (turned === undefined) return "";
  const suit = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" }[turned.suit ?? ""];
  return suit ? `${suit} are trump${turned.shown ? "" : " (only you know)"}` : "trump face down";
}

/**
 * The last standing event of a kind.
 * @template {Event["ev"]} E
 * @param {Model} model
 * @param {E} ev
 * @returns {Extract<Event, { ev: E }> | undefined}
 */
const last = (model, ev) => /** @type {never} */ (model.standing.filter((each) => each.ev === ev).at(-1));

/** @param {Model} model The seats but the viewer's, from the viewer's left on. */
function others(model) {
  const numbers = [...model.seats.keys()].sort((a, b) => a - b);
  const from = model.me === undefined ? 0 : numbers.indexOf(model.me) + 1;
  return [...numbers.slice(from), ...numbers.slice(0, from)].filter((number) => number !== model.me);
}

/** @param {Model} model @param {number} seat */
export const nameIn = (model, seat) => (seat === model.me ? "You" : shortName(model.seats.get(seat)?.name ?? ""));

/** @param {string} name Bots are `bot:steady2` on the wire. */
export const shortName = (name) => name.replace(/^bot:/, "").replace(/^~/, "") || "nobody";

/**
 * A player: name, cards, score, and what they are doing.
 * @param {Shown} table @param {Story} story @param {number} number
 */
function plate(table, story, number) {
  const { state: model } = table;
  const seat = model.at(number);
  const turns = model.turns.some((turn) => turn.seat === number);
  const said = deed(story.deeds.get(number));
  const notes = notesOf(model, seat, number);
  return el("li", { class: `seat${turns ? " turn" : ""}${seat.out ? " out" : ""}`, "data-key": `seat${number}` },
    button("person", shortName(seat.name), { class: "name", "data-name": seat.name, disabled: !seat.name }),
    el("span", { class: "doing" }, [said, turns && (clockText(table, number) || (!said && "thinks"))].filter(Boolean).join(" · ")),
    el("span", { class: "backs", "aria-hidden": true }, ...Array.from({ length: Math.min(seat.n, 13) }, back)),
    ...seat.seen.map((card) => el("span", { class: "shown" }, face(card), el("span", { class: "read" }, nameOf(card)))),
    el("span", { class: "numbers" }, ...numbers(model, seat).map(short)),
    el("span", { class: "note" }, notes),
  );
}

/** @param {string} text `3 points`; a narrow screen shows `3 pts`. */
function short(text) {
  const [number, word = ""] = text.split(" ", 2);
  const brief = { points: "pts", tricks: "tr", trick: "tr" }[word];
  return brief
    ? el("span", {}, `${number} `, el("span", { class: "long" }, word), el("span", { class: "brief", role: "img", "aria-label": word }, brief))
    : el("span", {}, text);
}

/** @param {Model} model @param {Seat} seat The cards, points and tricks of a player. */
function numbers(model, seat) {
  if (model.phase === "open") return [seat.ready ? "ready" : "not ready yet"];
  const parts = [`${seat.total} points`];
  if (model.phase === "playing") {
    parts.unshift(`${seat.n} ${seat.n === 1 ? "card" : "cards"}`);
    if (seat.tricks) parts.push(`${seat.tricks} ${seat.tricks === 1 ? "trick" : "tricks"}`);
  }
  return parts;
}

/** @param {Model} model @param {Seat} seat @param {number} number */
function notesOf(model, seat, number) {
  const notes = [];
  if (model.hand?.dealer === number && model.phase === "playing") notes.push("deals");
  const sides = model.game?.sides?.find((side) => side.split("+").includes(`${model.me}`));
  if (sides?.split("+").includes(`${number}`) && number !== model.me) notes.push("partner");
  if (seat.place) notes.push(seat.place === 1 ? "wins" : `place ${seat.place}`);
  if (seat.out) notes.push("out");
  if (seat.standin) notes.push("a bot plays for them");
  else if (!seat.here) notes.push("away");
  if (model.phase === "playing" && model.game?.target && !seat.out && seat.total >= model.game.target * 0.8) notes.push("close to the end");
  return notes.join(", ");
}

/** @param {Event | undefined} event */
function deed(event) {
  switch (event?.ev) {
    case "BID":
      return event.bid === "pass" ? "passes" : `bids ${event.bid}`;
    case "EXCHANGED":
      return event.n ? `exchanges ${event.n}` : "keeps all";
    case "SHOWN":
      return `has ${nameOf(event.card)} left`;
    default:
      return "";
  }
}

/** @param {Shown} table @param {number} seat The time left, `1:05`; empty without a clock. */
function clockText(table, seat) {
  const clock = table.timeLeft(seat);
  if (!clock) return "";
  const left = Math.ceil((clock.ms + clock.bank) / 1000);
  return `${Math.floor(left / 60)}:${`${left % 60}`.padStart(2, "0")}`;
}

/** @param {Model} model @param {Story} story */
function trick(model, story) {
  const taker = story.taker ? nameIn(model, story.taker) : "";
  return el("div", { class: `trick${taker ? " taken" : ""}`, role: "group", "aria-label": "The trick" },
    el("ol", {},
      ...story.plays.map(({ seat, cards }) =>
        el("li", { "data-key": `play${seat}${cards.join("+")}`, class: seat === story.taker ? "takes" : "" },
          el("span", { class: "fan" }, ...cards.map(face)),
          el("span", { class: "by" }, nameIn(model, seat)),
          el("span", { class: "read" }, `: ${namesOf(cards)}${seat === story.taker ? ", takes the trick" : ""}`))),
      ...toPlay(model, story).map((seat) =>
        el("li", { class: "kept", "aria-hidden": true, "data-key": `kept${seat}` },
          el("span", { class: "fan" }, ...(story.plays[0]?.cards ?? [""]).map(back)),
          el("span", { class: "by" }, nameIn(model, seat))))),
    !story.plays.length && model.phase === "playing" && el("p", { class: "empty" }, "No card is played yet."),
    el("details", { class: `gone${story.gone.length ? "" : " none"}` },
      el("summary", {}, `Gone: ${story.gone.length}`),
      el("p", {}, goneText(model, story.gone))),
  );
}

/** @param {Model} model @param {Story} story The seats whose cards have a place in the trick and are not there yet. */
function toPlay(model, story) {
  if (model.phase !== "playing" || model.seats.size > FEW) return [];
  const played = new Set(story.plays.map(({ seat }) => seat));
  const numbers = [...model.seats.keys()].sort((a, b) => a - b);
  const from = numbers.indexOf(story.plays.at(-1)?.seat ?? 0) + 1;
  return [...numbers.slice(from), ...numbers.slice(0, from)].filter((seat) => !played.has(seat) && !model.at(seat).out);
}

/** @param {Model} model @param {string[]} gone */
function goneText(model, gone) {
  /** @type {Map<string, number>} */
  const ranks = new Map();
  const suits = GAMES[model.game?.game ?? ""]?.deck === "piquet";
  for (const card of inHand(gone, model.game?.game ?? "", model.options)) {
    const name = suits ? nameOf(card) : suitOf(card) ? nameOf(card).replace(/ of .*/, "") : nameOf(card);
    ranks.set(name, (ranks.get(name) ?? 0) + 1);
  }
  return [...ranks].map(([name, times]) => (times > 1 ? `${times} × ${name}` : name)).join(", ");
}

/**
 * The viewer's own part: what is asked, the hand, the buttons.
 * @param {Table} table @param {Story} story @param {Look} look
 */
function mine(table, story, look) {
  const { state: model } = table;
  const { question } = look;
  const seat = mySeat(model);
  const buttons = actions(table, look);
  // Several rows of buttons need more room below the cards.
  const rows = !question || buttons.length <= 3 ? "" : question.legal.every((token) => isBid(token) || token === "pass") ? " bids" : " rows";
  return el("section", { class: `mine${question ? " turn" : ""}${rows}`, "aria-label": "You" },
    seat && el("p", { class: "me" },
      el("b", {}, "You"), ` ${numbers(model, seat).join(" · ")}`,
      [notesOf(model, seat, model.me ?? 0), deed(story.deeds.get(model.me ?? 0))].filter(Boolean).map((note) => ` · ${note}`).join("")),
    look.lesson?.done ? null : prompt(table, story, question),
    ...wishes(model),
    story.compared.length > 0 && el("div", { class: "advice compared", tabindex: 0 }, ...story.compared.map((line) => el("p", {}, ...sentence(line)))),
    look.lesson && lessonPicture(look.lesson, look),
    look.advice && el("p", { class: "advice", role: "status", tabindex: 0 }, ...withCards(look.advice)),
    look.problem && el("p", { class: "problem", role: "alert" }, ...withCards(look.problem)),
    hand(model, look),
    el("div", { class: "actions", role: "group", "aria-label": "What you can do" }, ...buttons),
  );
}

/**
 * The question: short for the eyes; a screen reader says the whole sentence of the server.
 * @param {Table} table @param {Story} story @param {Question | undefined} question
 */
function prompt(table, story, question) {
  const { state: model } = table;
  const asked = question ? [question.event] : model.phase === "playing" && !model.paused ? model.turns : [];
  const said = asked.map(({ text }) => story.saidOf(text ?? "")).filter(Boolean).join(" ");
  const [seen, clock] = [promptOf(model, question), question ? clockText(table, model.me ?? 0) : ""];
  return el("p", { class: "prompt", role: "status" },
    el("span", { class: "read" }, said || seen),
    el("span", { "aria-hidden": true }, ...(seen ? withCards(seen) : []), clock && ` ${clock}`));
}

/** @param {Model} model @param {Question | undefined} question */
function promptOf(model, question) {
  if (model.paused) return "The game is paused.";
  if (question) {
    return {
      exchange: question.isSubset ? `Your turn: exchange up to ${question.event.max} cards.` : "Your turn: exchange cards.",
      play: question.event.beat?.length ? `Your turn: ${question.event.beat.map(shortOf).join(", ")} to beat.` : "Your lead.",
      bid: "Your bid.",
      trump: "Choose a card: its suit is the trump.",
      declare: "Call for the trump?",
    }[question.act] ?? "Your turn.";
  }
  if (model.phase === "playing") {
    const waiting = model.turns.map((turn) => (turn.seat === model.me ? "the server" : nameIn(model, turn.seat)));
    return waiting.length ? `Waiting for ${waiting.join(", ")}.` : "";
  }
  if (model.phase === "over") return "The game is over.";
  return model.seats.size < Number(model.options.get("seats") ?? 2) ? "Waiting for players." : "The game has not begun.";
}

/** The end of an exercise's text, for people who type. */
const TO_TYPE = / Type [^.;]*; hint shows the answer\.$/;

/**
 * The step of a lesson: its text, and what to tap.
 * @param {NonNullable<Look["lesson"]>} lesson @param {Look} look
 */
function lessonPicture({ step, steps, done, typed, text, past }, { question, suggested }) {
  const cards = question && ofCards(question) ? cardsOf(suggested, question.hand) : [];
  const named = question && suggested && labelOf(question, suggested, cards);
  const todo = named ? `Tap ${cards.length ? `${namesOf(cards)}, then ` : ""}“${named}”.` : question && !past ? "Choose yourself; “Hint” shows the answer." : "";
  return el("div", { class: "advice", role: "status", tabindex: 0 },
    el("p", {}, done ? null : el("b", {}, `Step ${step} of ${steps}. `), ...sentence(spoken((text ?? "").replace(TO_TYPE, ""), "LESSON"))),
    (todo || (done && !typed)) && el("p", {}, el("b", {}, todo || "The lesson is over. Next comes a whole game.")));
}

/** @param {string} card As a sentence has it: a card with a suit becomes a small picture there. */
const shortOf = (card) => (suitOf(card) ? card.replace("T", "10") : nameOf(card));

/** @param {Question} question False for a bid, even if there is a card with this number. */
export const ofCards = ({ act }) => act !== "bid" && act !== "declare";

/** @param {Model} model @param {Look} look */
function hand(model, look) {
  const { question } = look;
  const cards = inHand(question?.hand.length ? question.hand : model.holding, model.game?.game ?? "", model.options);
  const asked = question && ofCards(question);
  const free = asked ? question.cardsFor(look.chosen) : [];
  const suggested = asked ? cardsOf(look.suggested, question.hand) : [];
  const left = [...look.chosen];
  /** @type {Map<string, number>} */
  const copies = new Map();
  const size = cards.length > 12 ? " most" : cards.length > 8 ? " more" : "";
  return el("div", { class: `hand${size}`, role: "group", "aria-label": `Your cards: ${namesOf(cards)}` },
    ...cards.map((card) => {
      const copy = copies.get(card) ?? 0;
      copies.set(card, copy + 1);
      const at = left.indexOf(card);
      if (at >= 0) left.splice(at, 1);
      const chosen = at >= 0;
      const legal = chosen || free.includes(card);
      const down = question?.event.down === card;
      return button("choose", `${nameOf(card)}${down ? ", face down" : ""}${asked && !legal ? ", not allowed now" : ""}`, {
        class: `card${chosen ? " chosen" : ""}${asked ? (legal ? " legal" : " idle") : ""}${suggested.includes(card) ? " suggested" : ""}`,
        "data-key": `card${card}${copy}`,
        "data-card": card,
        "aria-pressed": asked ? `${chosen}` : undefined,
      }, face(card));
    }));
}

/** @param {Table} table @param {Look} look @returns {HTMLElement[]} */
function actions(table, look) {
  const model = table.state;
  const { question, lesson } = look;
  if (lesson?.done) return [
    lesson.typed ? button("next-lesson", "Next exercise", { class: "main", "data-game": lesson.game }) : button("practice", "A whole game", { class: "main" }),
    button("leave", "Leave", { class: "quiet" }),
  ];
  if (question) return [...moves(question, look), isAlone(model) && button("hint", "Hint", { class: "quiet" })].filter((each) => each !== false);
  if (model.phase === "playing") {
    return mySeat(model)?.out ? waysOut(model) : [];
  }
  const seat = mySeat(model);
  if (!seat) return [button("home", "Back", { class: "quiet" })];
  const over = model.phase === "over";
  const { ready } = seat;
  return [
    button(ready ? "unready" : "ready", ready ? "Not ready after all" : over ? "Another game" : "I am ready", { class: ready ? "quiet" : "main" }),
    ...(model.host === seat.name && !over ? [button("start", "Start"), ...(isRated(model) ? [] : [button("addbot", "Add a bot", { class: "quiet" })])] : []),
    ...(over ? [...(look.daily ? [button("share-daily", "Share the result")] : []), button("review", "Review"), button("replay", "Replay", { class: "quiet" }), button("fair", "Was it fair?", { class: "quiet" })] : []),
    button("leave", "Leave", { class: "quiet" }),
  ];
}

/** @param {Model} model Nobody else plays but bots. */
export const isAlone = (model) => [...model.seats].every(([number, seat]) => number === model.me || seat.bot);

/** @param {Model} model For a player who is out, while the others play on. */
const waysOut = (model) => [
  ...(isAlone(model) ? [button("finish", "Skip to the result", { class: "main" })] : []),
  button("practice", "A new game"),
  button("home", "Another table", { class: "quiet" }),
];

/** @type {Record<string, string>} */
const WISHES = { pause: "to pause", abort: "to end the game without a result", rematch: "to play another game" };

/** @param {Model} model Who wants something that needs everybody. */
const wishes = (model) => [...model.wishes].filter(([, names]) => names.size).map(([what, names]) => {
  const mine = names.has(mySeat(model)?.name ?? "");
  const who = [...names].map((name) => (name === mySeat(model)?.name ? "You" : shortName(name)));
  return el("p", { class: "wish", role: "status", "data-key": `wish${what}` },
    `${who.join(" and ")} ${who.length > 1 || mine ? "want" : "wants"} ${WISHES[what] ?? what}. `,
    mine ? "The others are asked." : mySeat(model) && button(what, "Agree"));
});

/** @param {Model} model The viewer's seat; undefined for a watcher. */
const mySeat = (model) => (model.me === undefined ? undefined : model.seats.get(model.me));

/**
 * The buttons that move. A token that is no card of the hand is a bid or a word.
 * @param {Question} question @param {Look} look
 */
function moves(question, look) {
  const words = question.legal.filter((token) => !ofCards(question) || token !== "-" && cardsOf(token, question.hand).length < partsOf(token).length);
  const found = question.movesWith(look.chosen).filter((token) => !words.includes(token));
  const buttons = words.map((token) => move(token, wordFor(question.act, token), token === look.suggested ? "suggested" : "", isBid(token) && token !== look.suggested ? [token] : []));
  if (question.isSubset) {
    buttons.push(found.length ? move(found[0], labelOf(question, found[0], look.chosen), "main") : none(`At least ${question.event.min}`));
  } else if (words.length < question.legal.length) {
    for (const token of found) buttons.push(move(token, labelOf(question, token, look.chosen), found.length > 1 && token === look.suggested ? "main suggested" : "main"));
    if (!found.length) buttons.push(none(look.chosen.length ? "Choose one more card" : "Choose a card"));
  }
  return buttons;
}

/**
 * The words of the button that makes a move.
 * @param {Question} question @param {string} token @param {string[]} cards of the hand
 */
function labelOf(question, token, cards) {
  if (question.isSubset) return cards.length ? `Exchange ${namesOf(cards)}` : "Keep all cards";
  return cards.length ? `${doing(question.act)} ${namesOf(partsOf(token))}` : wordFor(question.act, token);
}

/** @param {string} token A bid of a number: its button shows only that. */
const isBid = (token) => /^[0-9]+$/.test(token);

/** @param {string} token @param {string} label @param {string} look @param {string[]} [shown] in place of the label */
const move = (token, label, look, shown = []) =>
  button("move", label, { "data-token": token, "data-key": `move${token}`, class: shown.length ? `bid ${look}` : look }, ...shown);

/** @param {string} label A button that does nothing yet. */
const none = (label) => button("none", label, { disabled: true, "data-key": "none" });

/** @param {string} act */
const doing = (act) => (act === "trump" ? "Lay down" : "Play");

/** @param {string} act @param {string} token */
function wordFor(act, token) {
  if (token === "pass") return "Pass";
  if (token === "redeal") return "New deal";
  if (token === "call") return "Call for the trump";
  if (token === "no") return "Do not call";
  return act === "bid" ? `Bid ${token}` : token;
}
