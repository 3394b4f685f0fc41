import { MESSAGE_PLACES } from '@exchange/core/message-place.ts';
import { describe, expect, it } from 'vitest';
import { placesOf } from './push-site.ts';
import { minuteOfText, textOfMinute } from './quiet-times.ts';

describe('pushes of a site', () => {
  it('PUSH-015 every place of a message has a path for the worker, with room for the item', () => {
    const places = placesOf({ orderPath: (id) => `/order?id=${id}` });
    expect(Object.keys(places)).toEqual([...MESSAGE_PLACES]);
    expect(places.order[1]).toBe('/order?id=*');
    expect(places.pair[1]).toBe('/trade?symbol=*');
    const withoutPath = MESSAGE_PLACES.filter((place) => places[place].join('') === '');
    expect(withoutPath).toEqual(['none']);
  });

  it('WEB-1085 quiet hours are typed as times of the day', () => {
    expect([0, 61, 1_439].map(textOfMinute)).toEqual(['00:00', '01:01', '23:59']);
    for (const minute of [0, 61, 1_439]) expect(minuteOfText(textOfMinute(minute))).toBe(minute);
    for (const text of ['', '24:00', '7:5', '12:60', '12:00:00']) expect(minuteOfText(text)).toBeUndefined();
  });
});
