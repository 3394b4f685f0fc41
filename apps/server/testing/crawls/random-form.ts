import type { SeededRandom } from '../seeded-random.ts';

/**
 * Sets of characters for random text: digits, letters, characters with a special meaning in forms, SQL, HTML, file
 * names or terminals, and several scripts.
 */
const ALPHABETS = [
  '0123456789',
  '0123456789.-+eE',
  '0123456789abcdef-',
  'abcdefghijklmnopqrstuvwxyz_',
  ' \t\r\n\u0000\u001b',

  '<>"\'`&;=()[]$%\\/|*?!#@~^,:',
  '\u202e\u200b\u00ad\ufeff\uffff',
  '٣４½⅓∞',
  '比特币とう코인ß',
  '💰👩‍💻🏴󠁧󠁢󠁥󠁮󠁧󠁿',
] as const;
const LENGTHS = [0, 1, 2, 5, 12, 36, 37, 100, 256, 1_000] as const;

/** Applies one to four random changes to an example form. Returns form-encoded text. */
export function randomForm(random: SeededRandom, sample: Readonly<Record<string, string>>): string {
  const fields = Object.entries(sample);
  for (let changes = random.whole(1, 4); changes > 0; changes -= 1) {
    const at = fields.length === 0 ? 0 : random.whole(0, fields.length - 1);
    const [name = 'field', value = ''] = fields[at] ?? [];
    const kind = random.whole(1, 10);
    if (kind <= 5) fields[at] = [name, randomText(random)];
    else if (kind === 6) fields.splice(at, 1);
    else if (kind === 7)
      fields[at] = [name, fields[random.whole(0, Math.max(0, fields.length - 1))]?.[1] ?? value];
    else if (kind === 8) fields[at] = [name, mutated(random, value)];
    else if (kind === 9) fields.push([name, value]);
    else fields.push([randomText(random).slice(0, 40), randomText(random)]);
  }
  return new URLSearchParams(fields).toString();
}

function randomText(random: SeededRandom): string {
  const letters = Array.from(random.pick(ALPHABETS));
  const length = random.pick(LENGTHS);
  return Array.from({ length }, () => random.pick(letters)).join('');
}

/** Inserts random text into the value, with or without removing a character. */
function mutated(random: SeededRandom, value: string): string {
  const at = random.whole(0, value.length);
  const ending = random.chance(0.5) ? value.slice(at) : value.slice(at + 1);
  return value.slice(0, at) + randomText(random).slice(0, 3) + ending;
}
