// Downloaded files by what they are, and what is signed and listed: keys (/proof/keys), checkpoints (/proof/checkpoint),
// the manifest of closed hours (/proof/manifest) and lines of the tape (.jsonl, as /proof/file gives them).
import { readFileSync } from 'node:fs';
import { keyOf, sha256, signatureFault, tapeFault } from './tape.mjs';

const HOUR = 3_600_000;

/** @param {any} checkpoint @param {any} evidence @returns {string | undefined} what is wrong with a checkpoint */
export function checkpointFault(checkpoint, { keys, hashes }) {
  const { symbol, seq, t, hash } = checkpoint;
  if ((hashes.get(`${symbol} ${seq}`) ?? hash) !== hash) return `checkpoint ${seq} is of another line`;
  const fault = keys.size > 0 && signatureFault(['tape', symbol, seq, t, hash].join('|'), checkpoint, keys);
  return fault ? `checkpoint ${seq}: ${fault}` : undefined;
}

/** @param {string} text @param {any} evidence @returns {string | undefined} what is wrong with a file of the tape */
function tapeFileFault(text, isFile, { listed }) {
  if (!text.endsWith('\n')) return 'it does not end with its last line';
  const texts = text.slice(0, -1).split('\n');
  const fault = tapeFault(texts);
  if (fault !== undefined || !isFile || listed.length === 0) return fault;
  const [first, last] = [texts[0], texts.at(-1)].map((line) => JSON.parse(line));
  const hour = Math.floor(first.t / HOUR) * HOUR;
  const entry = listed.find((one) => one.symbol === first.symbol && one.hour === hour);
  if (entry === undefined) return 'it is not in the manifest';
  const isWhole = entry.firstSeq === first.seq && entry.lastSeq === last.seq && entry.lastHash === last.hash;
  return isWhole && entry.sha256 === sha256(text) && last.t < hour + HOUR
    ? undefined
    : 'the manifest says otherwise';
}

/** @param {readonly string[]} paths @returns {any} what was given, by its kind; what cannot be read is told as a fault of its file */
export function gathered(paths) {
  const evidence = { faults: [], tapes: [], documents: [], listed: [], checkpoints: [] };
  Object.assign(evidence, { keys: new Map(), hashes: new Map(), lines: new Map() });
  const tape = (path, text, isFile) => {
    evidence.tapes.push([path, text, isFile]);
    for (const line of text
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one))) {
      evidence.hashes.set(`${line.symbol} ${line.seq}`, line.hash);
      evidence.lines.set(`${line.symbol} ${line.t}`, line);
    }
  };
  for (const path of paths) {
    try {
      const text = readFileSync(path, 'utf8');
      const parsed = path.endsWith('.jsonl') ? undefined : JSON.parse(text);
      const document = parsed?.data ?? parsed;
      if (document === undefined) tape(path, text, true);
      else if (Array.isArray(document.keys)) evidence.keys = new Map(document.keys.map(keyOf));
      else if (Array.isArray(document.checkpoints)) evidence.checkpoints.push([path, document.checkpoints]);
      else if (Array.isArray(document.list)) evidence.listed.push(...document.list);
      else if (Array.isArray(document.lines) && !document.terms)
        tape(path, document.lines.map((line) => `${line}\n`).join(''), false);
      else evidence.documents.push([path, document]);
    } catch (cause) {
      evidence.faults.push([path, cause.message]);
    }
  }
  return evidence;
}

/** @param {any} evidence @param {(document: any, evidence: any) => string | undefined} documentFault @returns {[string, string | undefined][]} each file with what is wrong with it */
export function verdicts(evidence, documentFault) {
  const of = (path, fault) => {
    try {
      return [path, fault()];
    } catch (cause) {
      return [path, cause.message];
    }
  };
  const { faults, tapes, documents, checkpoints } = evidence;
  return [
    ...faults,
    ...tapes.map(([path, text, isFile]) => of(path, () => tapeFileFault(text, isFile, evidence))),
    ...checkpoints.map(([path, list]) =>
      of(path, () => list.map((one) => checkpointFault(one, evidence)).find((fault) => fault !== undefined)),
    ),
    ...documents.map(([path, document]) => of(path, () => documentFault(document, evidence))),
  ];
}

/** Says of each file of the command line whether it holds; ends with 1 where one does not. @param {(document: any, evidence: any) => string | undefined} documentFault */
export function run(documentFault) {
  for (const [path, fault] of verdicts(gathered(process.argv.slice(2)), documentFault)) {
    console.log(`${path}: ${fault ?? 'holds'}`);
    if (fault !== undefined) process.exitCode = 1;
  }
}
