import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { missingBesides } from '../live-readiness.ts';
import type { Environment } from '../setting-fields.ts';
import { liveGaps, type LiveFacts } from './live-gaps.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 0, 5, 12);
/** Settings of an exchange that is completely configured for live operation, for tests. */
const READY: Environment = {
  MODE: 'live',
  SMTP_URL: 'smtps://mail.test',
  PUBLIC_URL: 'https://own.test',
  DATABASE_URL: 'postgres://server@db.test/x',
  DATABASE_OWNER_URL: 'postgres://owner@db.test/x',
  SERVER_SECRET: 'ab'.repeat(32),
  TRUSTED_PROXY: 'x-real-ip',
  MAIL_FROM: 'Own <post@own.test>',
  FILES_URL: 'https://s3.test/b',
  FILES_ACCESS_KEY_ID: 'a',
  FILES_SECRET_ACCESS_KEY: 'b',
  EVM_RPC_URL: 'https://node.test',
  EVM_XPUB: `xpub${'6'.repeat(107)}`,
  EVM_WALLET: `0x${'a'.repeat(40)}`,
  EVM_SIGNER: '/run/signer',
  EVM_SIGNER_SECRET_FILE: '/etc/signer',
  LEGAL_ENTITY: 'Own Ltd.',
  LEGAL_ADDRESS: '1 Own Street',
  GOVERNING_LAW: 'Own law',
  SUPPORT_EMAIL: 'help@own.test',
  BACKUP_FOLDER: '/var/backups/exchange',
};
const FACTS: LiveFacts = {
  now: NOW,
  backupAt: NOW - 20 * HOUR_MS,
  synchronousStandbys: 'second',
  ownsTables: false,
  sources: 6,
  mailProblem: undefined,
  node: '24.11.1',
};

function gaps(environment: Environment = {}, facts: Partial<LiveFacts> = {}): string[] {
  const read = readConfig({ ...READY, ...environment }, '/checkout');
  if (!read.ok) throw new Error(read.refusal.join());
  return liveGaps(read.value, { ...FACTS, ...facts });
}

it('LIVE-013 a complete installation has no gaps', () => {
  expect(gaps()).toEqual([]);
});

const NO_CHAIN = Object.fromEntries(
  Object.keys(READY)
    .filter((name) => name.startsWith('EVM_'))
    .map((name) => [name, '']),
);

it.each<[string, Environment, Partial<LiveFacts>]>([
  ['DATABASE_URL', { DATABASE_URL: '', DATABASE_OWNER_URL: '' }, {}],
  ['DATABASE_OWNER_URL', { DATABASE_OWNER_URL: '' }, { ownsTables: true }],
  ['synchronous_standby_names', {}, { synchronousStandbys: '' }],
  ['SERVER_SECRET', { SERVER_SECRET: '' }, {}],
  ['TRUSTED_PROXY', { TRUSTED_PROXY: 'none' }, {}],
  ['MAIL_FROM', { MAIL_FROM: '' }, {}],
  ['LEGAL_ENTITY', { LEGAL_ENTITY: '' }, {}],
  ['LEGAL_ADDRESS', { LEGAL_ADDRESS: '' }, {}],
  ['GOVERNING_LAW', { GOVERNING_LAW: '' }, {}],
  ['SUPPORT_EMAIL', { SUPPORT_EMAIL: '' }, {}],
  ['FILES_URL', { FILES_URL: '', FILES_ACCESS_KEY_ID: '', FILES_SECRET_ACCESS_KEY: '' }, {}],
  ['EVM_WALLET', { EVM_WALLET: '', EVM_SIGNER: '', EVM_SIGNER_SECRET_FILE: '' }, {}],
  ['PRICE_SOURCES', {}, { sources: 3 }],
  ['SMTP_URL', {}, { mailProblem: 'connect ECONNREFUSED' }],
  ['SMTP_URL', { SMTP_URL: 'smtp://mail.test:587' }, {}],
  ['Node', {}, { node: '20.19.0' }],
  ['BACKUP_FOLDER', { BACKUP_FOLDER: '' }, {}],
  ['BACKUP_FOLDER', {}, { backupAt: undefined }],
  ['BACKUP_FOLDER', {}, { backupAt: NOW - 31 * HOUR_MS }],
])('LIVE-013 a missing %s is reported, and nothing else', (name, environment, facts) => {
  expect(gaps(environment, facts)).toEqual([expect.stringMatching(`^${name}\\b`)]);
});

it('LIVE-013 mail to this machine, or over TLS only, is not reported', () => {
  for (const url of ['smtp://127.0.0.1:25', 'smtp://mail.test:587?requireTLS=true'])
    expect(gaps({ SMTP_URL: url })).toEqual([]);
});

it('LIVE-010 further gaps are reported together with the settings that live mode requires', () => {
  const gapsBesides = (environment: Environment) =>
    missingBesides((needed) => readConfig({ ...environment, ...needed }, '/checkout'));
  const liveOnly = gapsBesides({ MODE: 'live' });
  expect(liveOnly.map((gap) => gap.split(/[ :,]/)[0])).toEqual([
    'DATABASE_URL',
    'SERVER_SECRET',
    'TRUSTED_PROXY',
    'MAIL_FROM',
    'LEGAL_ENTITY',
    'LEGAL_ADDRESS',
    'GOVERNING_LAW',
    'SUPPORT_EMAIL',
    'FILES_URL',
    'BACKUP_FOLDER',
    'EVM_RPC_URL',
    'EVM_WALLET',
  ]);
  expect(gapsBesides({ MODE: 'live', PORT: 'x' })).toEqual([]);
  expect(gapsBesides({ ...READY, SMTP_URL: '' })).toEqual([]);
});

it('LIVE-013 an exchange without a chain or a manual deposit address is reported', () => {
  expect(gaps(NO_CHAIN).map((gap) => gap.split(' ')[0])).toEqual(['EVM_RPC_URL', 'EVM_WALLET,']);
  const manual = { ...NO_CHAIN, MANUAL_DEPOSITS: 'USDT/BEP20=0x43367AC27272F42A8309b883355b7618Bb2A58D1' };
  expect(gaps(manual).map((gap) => gap.split(' ')[0])).toEqual(['EVM_WALLET,']);
});

it('LIVE-013 an exchange whose only chain is not of the EVM family has no gap of a chain', () => {
  const xrp = {
    XRP_RPC_URL: 'https://node.test',
    XRP_ACCOUNT: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    XRP_NETWORK_ID: '0',
  };
  const signer = { XRP_SIGNER: '/run/signer', XRP_SIGNER_SECRET_FILE: '/etc/signer' };
  expect(gaps({ ...NO_CHAIN, ...xrp, ...signer })).toEqual([]);
  expect(gaps({ ...NO_CHAIN, ...xrp }).map((gap) => gap.split(' ')[0])).toEqual(['EVM_WALLET,']);
});
