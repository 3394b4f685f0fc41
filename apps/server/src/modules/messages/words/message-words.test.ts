import { LOCALES } from '@exchange/core/locale.ts';
import { describe, expect, it } from 'vitest';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageCatalogue, type DeclaredMessages } from '../catalogue.ts';
import type { MessageKind } from '../domain.ts';
import { earnMessages } from '../../earn/words/messages.ts';
import { miningMessages } from '../../mining/words/messages.ts';

const MODULES = join(import.meta.dirname, '../..');
const declared = await Promise.all(
  readdirSync(MODULES)
    .map((module) => join(MODULES, module, 'words/messages.ts'))
    .filter((file) => existsSync(file))
    .map(async (file) => Object.values((await import(file)) as Record<string, DeclaredMessages>)),
);
const catalogue = new MessageCatalogue();
catalogue.declare(declared.flat());
const kinds = catalogue.kinds() as readonly MessageKind[];

describe('message texts', () => {
  it('MSG-006 every module declares its messages in words/messages.ts, which these tests read', () => {
    const others = readdirSync(MODULES, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter(
        (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('words/messages.ts'),
      )
      .filter((file) => /= declareMessages\(/.test(readFileSync(join(MODULES, file), 'utf8')));
    expect(others).toEqual([]);
  });

  it('MSG-006 every kind of message has complete texts in every language', () => {
    const ofAccounts = {
      device: 'D',
      address: 'A',
      time: 'T',
      until: 'U',
      terms: '2',
      privacy: '3',
      name: 'N',
      passkeys: 'K',
    };
    const ofAlerts = { pair: 'P', unit: 'U', price: '1', limit: '2', from: '3', percent: '4' };
    const ofFills = { coin: 'C', amount: '5', total: '6', fee: '7', feeCoin: 'F', order: 'O' };
    const ofFinance = { principal: '8', days: '30', start: 'S', end: 'E' };
    const ofNotes = { title: 'T', summary: 'S', content: 'C' };
    const ofSupport = { answer: 'A', question: 'Q' };
    const ofIdentity = { day: '9', month: '10', next: 'N' };
    const ofTransfers = { network: 'W', txid: 'X', reason: 'R', arrival: '1', key: 'K' };
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
    const ofProducts = Object.fromEntries(
      [...JSON.stringify(declared).matchAll(/\{\{(\w+)/g)].map(([, name]) => [name, '1']),
    );
    const parameters = {
      ...ofProducts,
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
    expect(kinds).toEqual(expect.arrayContaining(['welcome', 'secondsWon', 'inviteRewarded']));
    for (const locale of LOCALES) {
      for (const kind of kinds) {
        const words = catalogue.words(locale, { kind, parameters });
        for (const text of Object.values(words)) expect(text).toMatch(/^[^{}–]+$/);
      }
    }
  });

  it('MSG-046 every kind of message links to its subject, except operators’ notes', () => {
    const parameters = { order: 'O', pair: 'BTC/USDT' };
    const placeOf = catalogue.placeOf.bind(catalogue);
    const alone = kinds.filter((kind) => placeOf({ kind, parameters }).place === 'none');
    expect(alone).toEqual(['operatorNote']);
    expect(placeOf({ kind: 'exitsNotPlaced', parameters })).toEqual({ place: 'order', item: 'O' });
    expect(placeOf({ kind: miningMessages.kinds.miningEnded, parameters })).toEqual({
      place: 'mining',
      item: 'O',
    });
    expect(placeOf({ kind: earnMessages.kinds.incomeDigest, parameters: {} })).toEqual({
      place: 'statement',
      item: '',
    });
    expect(placeOf({ kind: 'priceRose', parameters })).toEqual({ place: 'pair', item: 'BTC_USDT' });
    expect(placeOf({ kind: 'welcome', parameters })).toEqual({ place: 'start', item: '' });
  });

  it('MSG-006 a second kind of the same name is refused before any message is sent', () => {
    expect(() => catalogue.declare(declared.flat())).toThrow('two kinds of messages have the name');
  });
});
