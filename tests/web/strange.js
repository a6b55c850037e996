/** Draws every picture of the page with each of some texts; returns what is wrong. */
async (payloads) => {
  const names = ["home", "log", "story", "dialogs", "table", "review", "profile", "people", "sdk/index"];
  const [{ homePicture }, { logPicture }, { Story }, dialogs, { tablePicture }, { reviewPicture },
    { ProfileScreen }, { peopleActions }, { Seat, TableModel }] = await Promise.all(
    names.map((name) => import(`/${name}.js`)));
  const told = (text) => {
    const story = new Story();
    const seen = { on: "t1", text };
    for (const ev of ["SAID", "KIBITZED", "NOTE", "GAMEOVER", "COMPARED"]) story.see({ ...seen, ev, by: text });
    story.see({ ev: "OPTION", key: "title", by: text, text });
    story.talk(text);
    story.say(text);
    return story;
  };
  const tableOf = (text) => {
    const state = new TableModel("t1", 1);
    state.phase = "playing";
    ["~ann", text].forEach((name, index) => state.seats.set(index + 1, new Seat(name, false)));
    state.wishes.set("pause", new Set([text]));
    state.standing.push({ ev: "CONTRACT", seat: 2, bid: text }, { ev: "TURN", seat: 2, turn: 1, text });
    const look = { chosen: [], problem: text, advice: text, suggested: "", word: text, daily: false,
      lesson: { step: 1, steps: 2, text } };
    return tablePicture({ state, on: "t1", timeLeft() {} }, told(text), look);
  };
  const profiles = (text) => {
    const many = [["PAST", { game: text, names: [text, text], place: 1, id: text, ended: text }],
      ["RATING", { rank: 1, name: text, rating: 1, games: 1 }], ["DAILY", { day: text, game: text, hash: text, seed: text }],
      ["FRIEND", { name: text, here: true, on: text, game: text }], ["STANDING", { rank: 1, name: text, place: 1, points: 1 }],
      ["STATS", { game: text, played: 1, finishes: [1], best: text, worst: "" }]];
    const rows = many.map(([ev, fields]) => ({ ev, ...fields }));
    const command = async (line) => {
      const some = { history: ["PAST"], ranks: line.includes("week") ? [] : ["RATING"], friends: ["FRIEND"], stats: ["STATS"],
        results: ["DAILY", "STANDING"] }[line.split(" ")[0]] ?? [];
      return { ok: { text }, rows: rows.filter(({ ev }) => some.includes(ev)) };
    };
    const server = { command, listing: async (word) => rows.filter(({ ev }) => ev === word) };
    const visit = { server, name: text, problem: text, changed() {}, muted: new Set() };
    return Promise.all(["games", "stats", "ranks", "friends", "daily"].map(async (tab) => {
      const screen = new ProfileScreen(visit, tab === "games" ? text : "");
      await screen.show(tab);
      return screen.picture();
    })).then(async (screens) => {
      await peopleActions(visit).person({ name: text });
      return [...screens, [...document.querySelectorAll("dialog")].at(-1).cloneNode(true)];
    });
  };
  /** All pictures, or the most common ones. */
  const drawn = async (text, all) => {
    const table = { on: text, game: text, host: text, text, seats: 4, taken: 1, phase: text };
    const lobby = {
      tables: [table, { ...table, text: "" }], invitations: [{ name: text, on: text }],
      seeks: [{ name: text, game: text, players: text, seek: text }], users: [{ name: text }],
      messages: [text],
    };
    const guest = { name: text, wanted: text, game: text, goal: "", problem: text };
    const mark = { no: 1, trick: 1, seat: 1, act: "play", answer: "Q", best: "K", mark: text, text, turn: 1 };
    const luck = { seat: 1, hands: 1, losses: 1, expected: 1, share: 1 };
    return [homePicture(guest, lobby), homePicture({ ...guest, goal: text }, lobby), tableOf(text),
      logPicture(told(text), false, false), dialogs.tell(text, text).cloneNode(true),
      ...(all ? [reviewPicture({ marks: [mark], chances: [], luck: [luck], text }, [text, text]), ...(await profiles(text))] : [])];
  };
  // Sentences have as many lines and cards as they have.
  const sentences = [".lines", ".prompt", ".advice", ".problem", ".marks p", "dialog p"].map((each) => `${each} *`).join();
  const shape = (each) => [each.tagName, [...each.attributes].map(({ name }) => name),
    [...each.children].filter((child) => !child.matches(`${sentences}, dialog p`)).map(shape)];
  const usual = (await drawn("robin", true)).map((each) => JSON.stringify(shape(each)));
  const place = document.querySelector("footer");
  const wrong = [];
  for (const [index, payload] of payloads.entries()) {
    const pictures = await drawn(payload, index % 8 === 0);
    // Names are short, but titles and talk are not.
    place.replaceChildren(pictures[0], pictures[1], pictures[3], pictures[4]);
    if (document.documentElement.scrollWidth > innerWidth) wrong.push(`wide: ${payload}`);
    place.replaceChildren(...pictures);
    const odd = [...place.querySelectorAll(sentences)]
      .filter((each) => !each.matches("p, b, .lines > div, .cards, .inline, .read, [aria-hidden], button, code"));
    if (odd.length) wrong.push(`${odd[0].outerHTML}: ${payload}`);
    pictures.forEach((picture, at) => {
      if (JSON.stringify(shape(picture)) !== usual[at]) wrong.push(`${at} has another shape: ${payload}`);
      if (!picture.textContent.includes(payload.slice(0, 8))) wrong.push(`${at} has no ${payload}`);
    });
    if (!pictures[0].textContent.includes(payload)) wrong.push(payload);
  }
  dialogs.close();
  place.replaceChildren();
  return [wrong, "pwned" in window, document.title];
}
