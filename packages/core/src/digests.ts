/**
 * SHA-256 (FIPS 180-4) and Keccak-256 (original padding, as in Ethereum) for short inputs such as addresses.
 */

const PRIMES = [2, 3, 5, 7];
for (let next = 11; PRIMES.length < 64; next += 2)
  if (PRIMES.every((prime) => next % prime !== 0)) PRIMES.push(next);

const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const rotateRight = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = [...START];
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(block + at * 4);
    for (let at = 16; at < 64; at += 1) {
      const [early, late] = [words[at - 15]!, words[at - 2]!];
      const sigma0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
      const sigma1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16]! + sigma0 + words[at - 7]! + sigma1;
    }
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let at = 0; at < 64; at += 1) {
      const sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
      const temp1 = (h + sum1 + ((e & f) ^ (~e & g)) + ROUNDS[at]! + words[at]!) | 0;
      const sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
      const temp2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + temp1) | 0, c, b, a, (temp1 + temp2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, at) => {
      state[at] = (state[at]! + value) | 0;
    });
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => digest.setInt32(at * 4, word));
  return new Uint8Array(digest.buffer);
}

const LANE = (1n << 64n) - 1n;
const RATE = 136;
const rotateLane = (lane: bigint, bits: number): bigint =>
  bits === 0 ? lane : ((lane << BigInt(bits)) | (lane >> BigInt(64 - bits))) & LANE;

export function keccak256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE);
  padded.set(bytes);
  padded[bytes.length] = 1;
  padded[padded.length - 1]! |= 0x80;
  let lanes = Array<bigint>(25).fill(0n);
  const view = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let at = 0; at < RATE / 8; at += 1) lanes[at]! ^= view.getBigUint64(block + at * 8, true);
    lanes = permuted(lanes);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let at = 0; at < 4; at += 1) digest.setBigUint64(at * 8, lanes[at]!, true);
  return new Uint8Array(digest.buffer);
}

/** Keccak-f[1600]: 24 rounds over 25 lanes; the lane (x, y) has the index x + 5 y. */
function permuted(input: readonly bigint[]): bigint[] {
  let lanes = [...input];
  let register = 1;
  for (let round = 0; round < 24; round += 1) {
    const sums = [0, 1, 2, 3, 4].map(
      (x) => lanes[x]! ^ lanes[x + 5]! ^ lanes[x + 10]! ^ lanes[x + 15]! ^ lanes[x + 20]!,
    );
    lanes = lanes.map((lane, at) => lane ^ sums[(at + 4) % 5]! ^ rotateLane(sums[(at + 1) % 5]!, 1));
    const moved = [...lanes];
    let [x, y] = [1, 0];
    for (let at = 0; at < 24; at += 1) {
      const to = [y, (2 * x + 3 * y) % 5] as const;
      moved[to[0] + 5 * to[1]] = rotateLane(lanes[x + 5 * y]!, (((at + 1) * (at + 2)) / 2) % 64);
      [x, y] = to;
    }
    lanes = moved.map((lane, at) => {
      const row = at - (at % 5);
      return lane ^ (~moved[row + ((at + 1) % 5)]! & LANE & moved[row + ((at + 2) % 5)]!);
    });
    for (let bit = 0; bit <= 6; bit += 1) {
      if ((register & 1) === 1) lanes[0]! ^= 1n << BigInt(2 ** bit - 1);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
  }
  return lanes;
}
