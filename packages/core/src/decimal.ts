/**
 * Exact decimal numbers for money. A value is a bigint count of 10^-18 units, and no operation uses floating point.
 * Comparing two values with `<` throws.
 */

export type Rounding = 'up' | 'down' | 'halfEven';

export const DECIMAL_PLACES = 18;
const ATOMS_PER_UNIT = 10n ** 18n;
const POWERS_OF_TEN: readonly bigint[] = Array.from({ length: 37 }, (_, exponent) => 10n ** BigInt(exponent));
/** The greatest value that the database type numeric(38,18) can store: 20 whole digits and 18 decimals. */
const GREATEST_ATOMS = POWERS_OF_TEN[36]! * 100n - 1n;
const WHOLE_DIGITS = 20;
const MINUS = 45;
const POINT = 46;
const DIGIT_ZERO = 48;
const DIGIT_NINE = 57;

export class Decimal {
  static readonly zero: Decimal = new Decimal(0n);
  static readonly one: Decimal = new Decimal(ATOMS_PER_UNIT);

  readonly atoms: bigint;
  /** Cached result of `toString`, because prices, rates and amounts are serialized often. */
  #text: string | undefined = undefined;

  private constructor(atoms: bigint) {
    this.atoms = atoms;
  }

  /** Creates a value from a count of 10^-18 units. */
  static ofAtoms(atoms: bigint): Decimal {
    return atoms === 0n && Decimal.zero !== undefined ? Decimal.zero : new Decimal(atoms);
  }

  /** Creates a value from an integer. */
  static ofWhole(whole: bigint | number): Decimal {
    return Decimal.ofAtoms(BigInt(whole) * ATOMS_PER_UNIT);
  }

  /** Creates `units × 10^-digits`: `ofScaled(12345n, 2)` is 123.45. */
  static ofScaled(units: bigint, digits: number): Decimal {
    return Decimal.ofAtoms(units * power(DECIMAL_PLACES - digits));
  }

  /**
   * Parses a decimal number: ASCII digits with an optional minus sign, and an optional point that has digits on both
   * sides. At most 20 whole digits and 18 decimals are permitted. Returns undefined for any other text.
   */
  static tryParse(text: string): Decimal | undefined {
    const start = text.charCodeAt(0) === MINUS ? 1 : 0;
    const point = digitsEnd(text, start);
    const wholeDigits = point - start;
    if (wholeDigits === 0 || wholeDigits > WHOLE_DIGITS) return undefined;
    let digits = start === 0 && point === text.length ? text : text.slice(start, point);
    let fractionDigits = 0;
    if (point < text.length) {
      fractionDigits = text.length - point - 1;
      if (text.charCodeAt(point) !== POINT || digitsEnd(text, point + 1) < text.length) return undefined;
      if (fractionDigits === 0 || fractionDigits > DECIMAL_PLACES) return undefined;
      digits += text.slice(point + 1);
    }
    const atoms = BigInt(digits) * power(DECIMAL_PLACES - fractionDigits);
    return Decimal.ofAtoms(start === 1 ? -atoms : atoms);
  }

  /** Parses a text that is known to be a decimal number. Throws a RangeError for any other text. */
  static parse(text: string): Decimal {
    const value = Decimal.tryParse(text);
    if (value === undefined) throw new RangeError(`not a decimal: ${JSON.stringify(text.slice(0, 60))}`);
    return value;
  }

  plus(other: Decimal): Decimal {
    return Decimal.ofAtoms(this.atoms + other.atoms);
  }

  minus(other: Decimal): Decimal {
    return Decimal.ofAtoms(this.atoms - other.atoms);
  }

  negated(): Decimal {
    return Decimal.ofAtoms(-this.atoms);
  }

  absolute(): Decimal {
    return this.atoms < 0n ? this.negated() : this;
  }

  /** Returns the product, rounded to `places` decimals (18 by default) in the direction `rounding`. */
  times(other: Decimal, rounding: Rounding, places: number = DECIMAL_PLACES): Decimal {
    const unit = power(DECIMAL_PLACES - places);
    return Decimal.ofAtoms(divided(this.atoms * other.atoms, ATOMS_PER_UNIT * unit, rounding) * unit);
  }

  /**
   * Returns the product without rounding. Throws if it needs more than 18 decimals. It needs at most 18 if the decimals
   * of both factors add up to at most 18.
   */
  timesExact(other: Decimal): Decimal {
    const product = this.atoms * other.atoms;
    const atoms = product / ATOMS_PER_UNIT;
    // Multiplying the quotient back shows whether the division was exact. This is cheaper than a second division for
    // the remainder.
    if (atoms * ATOMS_PER_UNIT !== product)
      throw new RangeError(`${this} × ${other} is not exact in 18 decimals`);
    return Decimal.ofAtoms(atoms);
  }

  /**
   * Returns the quotient, rounded to `places` decimals (18 by default) in the direction `rounding`. Throws for a
   * division by zero.
   */
  over(other: Decimal, rounding: Rounding, places: number = DECIMAL_PLACES): Decimal {
    const unit = power(DECIMAL_PLACES - places);
    return Decimal.ofAtoms(divided(this.atoms * ATOMS_PER_UNIT, other.atoms * unit, rounding) * unit);
  }

  /** Returns the value rounded to `places` decimals in the direction `rounding`. */
  rounded(places: number, rounding: Rounding): Decimal {
    const unit = power(DECIMAL_PLACES - places);
    if (this.atoms % unit === 0n) return this;
    return Decimal.ofAtoms(divided(this.atoms, unit, rounding) * unit);
  }

  /** Returns whether the value has at most `places` decimals. */
  fits(places: number): boolean {
    return this.atoms % power(DECIMAL_PLACES - places) === 0n;
  }

  /** Returns the value as an integer count of `10^-digits`. Throws if the value has more than `digits` decimals. */
  toScaled(digits: number): bigint {
    const unit = power(DECIMAL_PLACES - digits);
    const scaled = this.atoms / unit;
    if (scaled * unit !== this.atoms) throw new RangeError(`${this} is finer than ${digits} decimals`);
    return scaled;
  }

  compare(other: Decimal): -1 | 0 | 1 {
    return this.atoms < other.atoms ? -1 : this.atoms > other.atoms ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.atoms === other.atoms;
  }

  isLess(other: Decimal): boolean {
    return this.atoms < other.atoms;
  }

  isMore(other: Decimal): boolean {
    return this.atoms > other.atoms;
  }

  isZero(): boolean {
    return this.atoms === 0n;
  }

  isPositive(): boolean {
    return this.atoms > 0n;
  }

  isNegative(): boolean {
    return this.atoms < 0n;
  }

  /** Returns whether the database can store the value, which must have at most 20 whole digits. */
  isStorable(): boolean {
    return this.atoms <= GREATEST_ATOMS && this.atoms >= -GREATEST_ATOMS;
  }

  /** Formats the value without trailing zeros and without an exponent: `0.1`, `-12`. */
  toString(): string {
    return (this.#text ??= plainText(this.atoms));
  }

  /** Formats the value with exactly `places` decimals, truncated toward zero, and without an exponent. */
  toPlaces(places: number): string {
    if (this.atoms >= 0n) return withPlaces(this.toString(), places);
    const { sign, whole, fraction } = this.rounded(places, 'down').digits();
    return places === 0 ? sign + whole : `${sign}${whole}.${fraction.slice(0, places)}`;
  }

  toJSON(): string {
    return this.toString();
  }

  valueOf(): never {
    throw new TypeError('a Decimal is compared with compare/isLess/isMore, never with operators');
  }

  private digits(): { sign: string; whole: string; fraction: string } {
    const negative = this.atoms < 0n;
    const text = (negative ? -this.atoms : this.atoms).toString().padStart(DECIMAL_PLACES + 1, '0');
    const point = text.length - DECIMAL_PLACES;
    return { sign: negative ? '-' : '', whole: text.slice(0, point), fraction: text.slice(point) };
  }
}

/** Returns the index of the first character from `start` that is no ASCII digit; the text's length if there is none. */
function digitsEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < DIGIT_ZERO || code > DIGIT_NINE) break;
    at += 1;
  }
  return at;
}

function plainText(atoms: bigint): string {
  if (atoms < 0n) return `-${plainText(-atoms)}`;
  const digits = atoms.toString();
  const point = digits.length - DECIMAL_PLACES;
  let end = digits.length;
  while (end > 0 && end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  if (end <= point) return digits.slice(0, point);
  if (point > 0) return `${digits.slice(0, point)}.${digits.slice(point, end)}`;
  return end === 0 ? '0' : `0.${'0'.repeat(-point)}${digits.slice(0, end)}`;
}

/** Pads or truncates the plain text of a number that is not negative to `places` decimals. */
function withPlaces(text: string, places: number): string {
  const point = text.indexOf('.');
  if (point < 0) return places === 0 ? text : `${text}.${'0'.repeat(places)}`;
  const missing = places - (text.length - point - 1);
  if (missing >= 0) return text + '0'.repeat(missing);
  return text.slice(0, places === 0 ? point : missing);
}

export function least(a: Decimal, b: Decimal): Decimal {
  return a.isLess(b) ? a : b;
}

export function greatest(a: Decimal, b: Decimal): Decimal {
  return a.isMore(b) ? a : b;
}

/** Returns the exact sum of the values. */
export function sum(values: Iterable<Decimal>): Decimal {
  let atoms = 0n;
  for (const value of values) atoms += value.atoms;
  return Decimal.ofAtoms(atoms);
}

function power(exponent: number): bigint {
  const value = POWERS_OF_TEN[exponent];
  if (value === undefined) throw new RangeError(`no power of ten for ${exponent}`);
  return value;
}

/**
 * Integer division. `up` rounds away from zero, `down` toward zero, `halfEven` to the nearest with ties to even.
 * Throws for a division by zero.
 */
function divided(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator === 0n) throw new RangeError('division by zero');
  const quotient = numerator / denominator;
  if (rounding === 'down') return quotient;
  const remainder = numerator - quotient * denominator;
  if (remainder === 0n) return quotient;
  const away = numerator < 0n === denominator < 0n ? 1n : -1n;
  if (rounding === 'up') return quotient + away;
  const twice = 2n * (remainder < 0n ? -remainder : remainder);
  const size = denominator < 0n ? -denominator : denominator;
  if (twice < size) return quotient;
  if (twice > size) return quotient + away;
  return quotient % 2n === 0n ? quotient : quotient + away;
}
