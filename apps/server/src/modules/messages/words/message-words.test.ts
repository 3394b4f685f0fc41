import { LOCALES } from '@exchange/core/locale.ts';
import { describe, expect, it } from 'vitest';
import { MESSAGE_KINDS, placeOf } from '../domain.ts';
import { messageWords } from './message-words.ts';

describe('message texts', () => {
  it('MSG-006 every kind of message has complete texts in every language', () => {
    const ofAccounts = {
      device: 'D',
      address: 'A',
      time: 'T',
      until: 'U',
      terms: '2',
      privacy: '3',
      name: 'N',
    };
    const ofAlerts = { pair: 'P', unit: 'U', price: '1', limit: '2', from: '3', percent: '4' };
    const ofFills = { coin: 'C', amount: '5', total: '6', fee: '7', feeCoin: 'F', order: 'O' };
    const ofFinance = { principal: '8', days: '30', start: 'S', end: 'E' };
    const ofNotes = { title: 'T', summary: 'S', content: 'C' };
    const ofSupport = { answer: 'A', question: 'Q' };
    const ofIdentity = { day: '9', month: '10', next: 'N' };
    const ofTransfers = { network: 'W', txid: 'X', reason: 'R', arrival: '1' };
    const ofFunds = { fund: 'N', quantity: '2', leverage: '3', value: '4', ratio: '5', margin: '6' };
    const ofSeconds = {
      seconds: '30',
      stake: '8',
      arrow: '▲',
      payout: '9',
      net: '1',
      entry: '100',
      settlement: '101',
    };
    const ofRewards = { amounts: '1', people: '2' };
    const ofDigests = { date: 'D', lines: 'L' };
    const parameters = {
      ...ofDigests,
      ...ofNotes,
      ...ofSupport,
      ...ofSeconds,
      ...ofRewards,
      ...ofFunds,
      ...ofTransfers,
      ...ofAccounts,
      ...ofAlerts,
      ...ofFills,
      ...ofFinance,
      ...ofIdentity,
    };
    for (const locale of LOCALES) {
      for (const kind of MESSAGE_KINDS) {
        const words = messageWords(locale, kind, parameters);
        for (const text of Object.values(words)) expect(text).toMatch(/^[^{}–]+$/);
      }
    }
  });

  it('MSG-046 every kind of message links to its subject, except operators’ notes', () => {
    const parameters = { order: 'O', pair: 'BTC/USDT' };
    const alone = MESSAGE_KINDS.filter((kind) => placeOf({ kind, parameters }).place === 'none');
    expect(alone).toEqual(['operatorNote']);
    expect(placeOf({ kind: 'exitsNotPlaced', parameters })).toEqual({ place: 'order', item: 'O' });
    expect(placeOf({ kind: 'miningEnded', parameters })).toEqual({ place: 'mining', item: 'O' });
    expect(placeOf({ kind: 'incomeDigest', parameters: {} })).toEqual({ place: 'statement', item: '' });
    expect(placeOf({ kind: 'priceRose', parameters })).toEqual({ place: 'pair', item: 'BTC_USDT' });
    expect(placeOf({ kind: 'welcome', parameters })).toEqual({ place: 'start', item: '' });
  });
});
