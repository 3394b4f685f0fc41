import { expect, it, vi } from 'vitest';
import { rememberedDates } from './remembered-dates.ts';

it('WEB-169 a time of the axis is written once for each zone and form', () => {
  const format = rememberedDates();
  const clockIn = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  const berlin = clockIn('Europe/Berlin');
  const written = vi.spyOn(berlin, 'formatToParts');
  const asked = { dateTimeFormat: berlin, timestamp: 0, template: 'HH:mm', type: 'xAxis' } as const;
  expect([format(asked), format(asked)]).toEqual(['01:00', '01:00']);
  expect(written).toHaveBeenCalledOnce();

  const utc = clockIn('UTC');
  expect(format({ ...asked, dateTimeFormat: utc })).toBe('00:00');
  expect(format({ ...asked, dateTimeFormat: utc, template: 'HH' })).toBe('00');
});
