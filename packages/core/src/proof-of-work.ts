/**
 * Proof of work for callers who are not signed in. A solution is a text for which the SHA-256 of
 * `<challenge>.<solution>` starts with the required number of zero bits. Finding it takes 2^bits digests on average,
 * checking it takes one. SHA-256 is implemented here because `crypto.subtle` does not exist in pages served over plain
 * HTTP, and because an asynchronous call per attempt would cost more than the digest.
 */

/** Number of digits of a solution, which is a decimal number. It is sufficient for every difficulty in use. */
const SOLUTION_DIGITS = 10;
const BLOCK_BYTES = 64;
/** Number of bytes, not counting zeros, that SHA-256 appends to a message: a marker byte and the 64-bit length. */
const PADDING_BYTES = 9;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Prime numbers from which the constants of SHA-256 are derived (FIPS 180-4). The constants are the first 32 bits of
 * the fractional parts of their square and cube roots.
 */
const PRIMES = [2, 3, 5, 7];
for (let next = 11; PRIMES.length < 64; next += 2)
  if (PRIMES.every((prime) => next % prime !== 0)) PRIMES.push(next);
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUND_CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const INITIAL_STATE = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/**
 * Applies SHA-256's compression of the 64-byte block at `offset` to a state of eight words. `schedule` is scratch space
 * of 64 words.
 */
// oxlint-disable-next-line max-statements -- the rounds of SHA-256 as the standard writes them
function compress(state: Int32Array, block: DataView, offset: number, schedule: Int32Array): void {
  for (let at = 0; at < 16; at += 1) schedule[at] = block.getInt32(offset + at * 4);
  for (let at = 16; at < 64; at += 1) {
    const early = schedule[at - 15]!;
    const late = schedule[at - 2]!;
    const sigma0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const sigma1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    schedule[at] = (schedule[at - 16]! + sigma0 + schedule[at - 7]! + sigma1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let at = 0; at < 64; at += 1) {
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const temp1 = (h + sum1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[at]! + schedule[at]!) | 0;
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const temp2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + temp1) | 0;
    d = c;
    c = b;
    b = a;
    a = (temp1 + temp2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

/**
 * Returns whether a digest starts with `bits` zero bits (at most 64). Its first two 32-bit words are sufficient for
 * this.
 */
function startsWithZeros(first: number, second: number, bits: number): boolean {
  if (bits <= 32) return Math.clz32(first) >= bits;
  return first === 0 && Math.clz32(second) >= bits - 32;
}

/** Increments a decimal number in ASCII digits that ends before `end`. */
function increment(digits: Uint8Array, end: number): void {
  let at = end - 1;
  while (digits[at] === NINE) {
    digits[at] = ZERO;
    at -= 1;
  }
  digits[at]! += 1;
}

/**
 * Searches for the solution of a challenge. The caller runs the search in portions, between which a page can
 * respond to the user. `bits` is the number of zero bits with which the solution's digest must start.
 */
export class ProofOfWorkSearch {
  private readonly bits: number;
  /** SHA-256 state after the leading whole blocks of the challenge, which are the same for all attempts. */
  private readonly start = Int32Array.from(INITIAL_STATE);
  private readonly state = new Int32Array(8);
  private readonly schedule = new Int32Array(64);
  /**
   * The last one or two blocks of the hashed message: the end of the challenge, the digits of the attempted solution,
   * and the padding.
   */
  private readonly last: Uint8Array;
  private readonly view: DataView;
  private readonly digitsEnd: number;

  constructor(challenge: string, bits: number) {
    this.bits = bits;
    const prefix = new TextEncoder().encode(`${challenge}.`);
    const whole = prefix.length - (prefix.length % BLOCK_BYTES);
    const prefixView = new DataView(prefix.buffer);
    for (let offset = 0; offset < whole; offset += BLOCK_BYTES)
      compress(this.start, prefixView, offset, this.schedule);
    this.digitsEnd = prefix.length - whole + SOLUTION_DIGITS;
    const blocks = Math.ceil((this.digitsEnd + PADDING_BYTES) / BLOCK_BYTES);
    this.last = new Uint8Array(blocks * BLOCK_BYTES);
    this.last.set(prefix.subarray(whole));
    this.last.fill(ZERO, prefix.length - whole, this.digitsEnd);
    this.last[this.digitsEnd] = 0x80;
    this.view = new DataView(this.last.buffer);
    this.view.setUint32(this.last.length - 4, (prefix.length + SOLUTION_DIGITS) * 8);
  }

  /**
   * Tries the next `tries` numbers as solutions of the proof of work. Returns a solution, or undefined if none of them
   * is one.
   */
  search(tries: number): string | undefined {
    const { bits, last, view, state, start, schedule, digitsEnd } = this;
    for (let n = 0; n < tries; n += 1) {
      state.set(start);
      for (let offset = 0; offset < last.length; offset += BLOCK_BYTES)
        compress(state, view, offset, schedule);
      if (startsWithZeros(state[0]!, state[1]!, bits))
        return new TextDecoder().decode(last.subarray(digitsEnd - SOLUTION_DIGITS, digitsEnd));
      increment(last, digitsEnd);
    }
    return undefined;
  }
}
