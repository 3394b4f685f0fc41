import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { periodOfYear, startOfYear, yearOf } from './tax.ts';

const at = (text: string): number => Date.parse(text);

describe('tax years in time zones', () => {
  it('TAX-016 a year begins at midnight of its zone, with the offset of that day', () => {
    expect(startOfYear(2026, 'UTC')).toBe(at('2026-01-01T00:00:00Z'));
    expect(startOfYear(2026, 'Asia/Tokyo')).toBe(at('2025-12-31T15:00:00Z'));
    expect(startOfYear(2026, 'America/New_York')).toBe(at('2026-01-01T05:00:00Z'));
    // Sydney has summer time in January. The offset of Kathmandu is not a whole number of hours, and Kiritimati is more
    // than twelve hours ahead of UTC.
    expect(startOfYear(2026, 'Australia/Sydney')).toBe(at('2025-12-31T13:00:00Z'));
    expect(startOfYear(2026, 'Asia/Kathmandu')).toBe(at('2025-12-31T18:15:00Z'));
    expect(startOfYear(2026, 'Pacific/Kiritimati')).toBe(at('2025-12-31T10:00:00Z'));
    expect(startOfYear(2026, 'Etc/GMT+12')).toBe(at('2026-01-01T12:00:00Z'));
    // Samoa left out 30 December 2011 and moved from UTC-10 to UTC+14.
    expect(startOfYear(2011, 'Pacific/Apia')).toBe(at('2011-01-01T10:00:00Z'));
    expect(startOfYear(2012, 'Pacific/Apia')).toBe(at('2011-12-31T10:00:00Z'));
    expect(() => startOfYear(2026, 'Mars/Base')).toThrow(RangeError);
  });

  it('TAX-016 an instant is in the year of its zone, also in the hours in which UTC has another year', () => {
    const evening = at('2025-12-31T15:00:00Z');
    expect(yearOf(evening, 'UTC')).toBe(2025);
    expect(yearOf(evening, 'Asia/Tokyo')).toBe(2026);
    expect(yearOf(evening - 1, 'Asia/Tokyo')).toBe(2025);
    const morning = at('2026-01-01T04:59:59.999Z');
    expect(yearOf(morning, 'UTC')).toBe(2026);
    expect(yearOf(morning, 'America/New_York')).toBe(2025);
    expect(yearOf(morning + 1, 'America/New_York')).toBe(2026);
  });

  it('TAX-016 years of every zone follow each other without a gap, and every instant is in one of them', () => {
    const zones = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'));
    const instants = fc.integer({ min: Date.UTC(2009, 0, 2), max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const year = yearOf(instant, zone);
        const { from, until } = periodOfYear(year, zone);
        expect(from).toBeLessThanOrEqual(instant);
        expect(until).toBeGreaterThan(instant);
        expect(periodOfYear(year + 1, zone).from).toBe(until);
      }),
    );
  });
});
