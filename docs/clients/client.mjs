// A client of the engine protocol: the table of a round, where seat 0 plays at random and the engine the others.
//
//     node client.mjs [COMMAND ...]      the command of an engine, by default: eights engine
//
// It needs nothing but Node, and knows no rules: the engine says which event must be next.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const COPIES = { 0: 6, 1: 4, 2: 4, 3: 6, 4: 6, 5: 6, 6: 6, 7: 6, 8: 6, 9: 6, H: 8, G: 8 };
const NAMES = ["You", "Engine", "Engine too"];

// An engine as a process; any number of questions may be open, and answers come in any order.
class Engine {
  constructor([command, ...options]) {
    this.open = new Map();
    this.asked = 0;
    this.process = spawn(command, options, { stdio: ["pipe", "pipe", "inherit"] });
    this.process.on("error", (error) => fail(`The engine cannot be started: ${command}: ${error.code}.`));
    this.process.on("close", () => this.open.size && fail("The engine has gone."));
    this.process.stdin.on("error", () => {}); // if it has gone, it may still have said why
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      const reply = JSON.parse(line);
      if (!reply.final) return console.log(`  thinks of ${reply.move} ...`);
      if (reply.error) fail(`The engine refuses: ${reply.error}`);
      this.open.get(reply.id)(reply);
      this.open.delete(reply.id);
    });
  }

  // The final reply to a request.
  ask(request) {
    const id = ++this.asked;
    this.process.stdin.write(JSON.stringify({ id, ...request }) + "\n");
    return new Promise((resolve) => this.open.set(id, resolve));
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const below = (n) => Math.floor(Math.random() * n);

// Play a round; gives the points of the seats.
async function play(engine) {
  const deck = Object.entries(COPIES).flatMap(([rank, copies]) => Array(copies).fill(rank));
  await engine.ask({ type: "new" });
  let event = { type: "start", game: "eight_and_a_half", rules: "standard", players: NAMES.length, names: NAMES };
  event = { ...event, exchange: null, version: 1 };
  while (true) {
    const { next } = await engine.ask({ type: "event", event });
    if (next === null) return event.points;
    event = next;
    if (event.type === "reveal") event.card = deck.splice(below(deck.length), 1)[0];
    if (event.type !== "act") continue;
    const { legal, ...act } = event;
    const ask = { type: "move", limits: { time_ms: 20 }, report_every_ms: 1000 };
    const action = act.seat === 0 ? legal[below(legal.length)] : (await engine.ask(ask)).move;
    event = { ...act, action };
    console.log(`${NAMES[act.seat]}: ${action}`);
  }
}

const command = process.argv.slice(2);
const engine = new Engine(command.length ? command : ["eights", "engine"]);
console.log("The engine is", (await engine.ask({ type: "hello" })).name);
console.log("Points:", ...(await play(engine)));
engine.process.stdin.end(); // the end of its input ends it
