import { describe, expect, it } from 'vitest';
import { accountProblem, readConfig, showsMail } from './config.ts';

const settingsOf = (environment: Record<string, string>) => {
  const result = readConfig(environment, '/srv/exchange');
  if (!result.ok) throw new Error(result.refusal.join('; '));
  return result.value;
};

const problemsOf = (environment: Record<string, string>) => {
  const result = readConfig(environment, '/srv/exchange');
  return result.ok ? [] : result.refusal;
};

describe('settings', () => {
  it('LIVE-890 live mode does not start as root; a demo does, and so does another account', () => {
    expect(accountProblem({ mode: 'live' }, 0)).toContain('root');
    for (const [mode, userId] of [
      ['demo', 0],
      ['live', 1_000],
      ['live', undefined],
    ] as const)
      expect([mode, userId, accountProblem({ mode }, userId)]).toEqual([mode, userId, undefined]);
  });

  it('EDGE-001 need nothing at all: demo mode on 3000, the console on the loopback at 3001', () => {
    expect(settingsOf({})).toMatchObject({
      mode: 'demo',
      port: 3000,
      host: '127.0.0.1',
      consolePort: 3001,
      consoleHost: '127.0.0.1',
      dataDirectory: '/srv/exchange/data',
      databaseUrl: undefined,
      proxyHeader: undefined,
      logLevel: 'info',
      chat: undefined,
      houseTrades: true,
      visitorAnswersMs: 25,
      drainMs: 0,
    });
  });

  it('PKY-012 passkeys belong to the site, or to the domain above it that is set', () => {
    expect(settingsOf({}).passkeys).toEqual({ domain: 'localhost', origins: [], anyLocalPort: true });
    expect(settingsOf({ PUBLIC_URL: 'http://10.1.2.3:3000' }).passkeys.domain).toBe('localhost');
    const PUBLIC_URL = 'https://www.Example.com/';
    expect(settingsOf({ PUBLIC_URL }).passkeys).toEqual({
      domain: 'www.example.com',
      origins: ['https://www.example.com'],
      anyLocalPort: false,
    });
    const PASSKEY_ORIGINS = 'https://m.example.com, https://www.example.com';
    expect(settingsOf({ PUBLIC_URL, PASSKEY_DOMAIN: 'Example.com', PASSKEY_ORIGINS }).passkeys).toEqual({
      domain: 'example.com',
      origins: ['https://www.example.com', 'https://m.example.com'],
      anyLocalPort: false,
    });
    const wrong: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ PASSKEY_DOMAIN: 'example.com' }, /belong to PUBLIC_URL, which is not set/],
      [{ PUBLIC_URL: 'https://10.1.2.3', PASSKEY_DOMAIN: 'example.com' }, /no passkeys for IP addresses/],
      [{ PUBLIC_URL, PASSKEY_DOMAIN: 'ample.com' }, /must be www\.example\.com, the host of PUBLIC_URL/],
      [{ PUBLIC_URL, PASSKEY_DOMAIN: 'com' }, /must be a domain/],
      [{ PUBLIC_URL, PASSKEY_DOMAIN: 'https://example.com' }, /must be a domain/],
      [{ PUBLIC_URL, PASSKEY_ORIGINS: 'https://m.example.com' }, /must be on www\.example\.com or below/],
      [
        { PUBLIC_URL: 'https://intranet', PASSKEY_ORIGINS: 'https://example.com' },
        /must be on intranet or below/,
      ],
      [{ PUBLIC_URL, PASSKEY_ORIGINS: 'http://www.example.com' }, /must be origins such as/],
      [{ PUBLIC_URL, PASSKEY_ORIGINS: 'https://www.example.com/app' }, /must be origins such as/],
    ];
    for (const [settings, problem] of wrong)
      expect(problemsOf(settings), JSON.stringify(settings)).toEqual([expect.stringMatching(problem)]);
  });

  it('CLU-001 a single process needs no NATS; the other roles name it and a database that others reach', () => {
    expect(settingsOf({})).toMatchObject({ role: 'all', natsUrl: undefined });
    const shared = { NATS_URL: 'nats://a:4222, nats://b:4222', DATABASE_URL: 'postgres://db/exchange' };
    expect(settingsOf({ ROLE: 'writer', ...shared })).toMatchObject({
      role: 'writer',
      natsUrl: shared.NATS_URL,
    });
    expect(problemsOf({ ROLE: 'feed' })).toEqual([
      'NATS_URL must be set with ROLE feed: it connects the writer and the other processes',
      'DATABASE_URL must be set with ROLE feed: other machines do not reach the embedded database',
    ]);
    expect(problemsOf({ NATS_URL: 'nats://a' })).toEqual([
      'NATS_URL belongs to ROLE writer, api, feed or worker; ROLE is all',
    ]);
    expect(settingsOf({ ROLE: 'api', ...shared })).toMatchObject({ role: 'api' });
    expect(problemsOf({ ROLE: 'signer' })).toEqual([
      'ROLE must be all or writer or api or feed or worker, not "signer"',
    ]);
    for (const natsUrl of ['a:4222', 'http://a', 'nats://a,tls://b', 'nats://', 'nats://a,'])
      expect(problemsOf({ ROLE: 'writer', ...shared, NATS_URL: natsUrl })).toEqual([
        expect.stringMatching(/^NATS_URL must be addresses/),
      ]);
  });

  it('CLU-073 roles behind a proxy announce their stop for two seconds, and a single process stops at once', () => {
    const shared = { NATS_URL: 'nats://a', DATABASE_URL: 'postgres://db/exchange' };
    expect(settingsOf({})).toMatchObject({ drainMs: 0 });
    for (const role of ['writer', 'api', 'feed'])
      expect(settingsOf({ ROLE: role, ...shared })).toMatchObject({ drainMs: 2_000 });
    expect(settingsOf({ DRAIN_SECONDS: '15' })).toMatchObject({ drainMs: 15_000 });
    expect(problemsOf({ DRAIN_SECONDS: '-1' })).toEqual([
      'DRAIN_SECONDS must be a whole number up to 99, not "-1"',
    ]);
  });

  it('CLU-001 a node in live mode sends no mail', () => {
    const live = {
      MODE: 'live',
      PUBLIC_URL: 'https://exchange.example',
      DATABASE_URL: 'postgres://db/exchange',
    };
    for (const role of ['api', 'feed'])
      expect(problemsOf({ ...live, ROLE: role, NATS_URL: 'nats://a' })).toEqual([]);
    expect(problemsOf({ ...live, ROLE: 'writer', NATS_URL: 'nats://a' })).toHaveLength(1);
  });

  it('WRK-001 a worker names NATS, a database and in live mode a mail server; a writer says that workers exist', () => {
    const shared = { NATS_URL: 'nats://a', DATABASE_URL: 'postgres://db/exchange' };
    expect(settingsOf({ ROLE: 'worker', ...shared })).toMatchObject({ role: 'worker', hasWorkers: false });
    expect(settingsOf({ ROLE: 'writer', WORKERS: 'on', ...shared })).toMatchObject({ hasWorkers: true });
    expect(settingsOf({ ROLE: 'writer', ...shared })).toMatchObject({ hasWorkers: false });
    expect(problemsOf({ ROLE: 'worker' })).toEqual([
      'NATS_URL must be set with ROLE worker: it connects the writer and the other processes',
      'DATABASE_URL must be set with ROLE worker: other machines do not reach the embedded database',
    ]);
    expect(problemsOf({ WORKERS: 'on' })).toEqual(['WORKERS belongs to ROLE writer; ROLE is all']);
    expect(problemsOf({ ROLE: 'api', WORKERS: 'on', ...shared })).toEqual([
      'WORKERS belongs to ROLE writer; ROLE is api',
    ]);
    expect(problemsOf({ ROLE: 'worker', WORKERS: 'on', ...shared })).toEqual([
      'WORKERS belongs to ROLE writer, which then leaves jobs to this process',
    ]);
    expect(problemsOf({ ROLE: 'writer', WORKERS: 'maybe', ...shared })).toEqual([
      'WORKERS must be on or off, not "maybe"',
    ]);
    const live = { MODE: 'live', PUBLIC_URL: 'https://exchange.example', ROLE: 'worker', ...shared };
    expect(problemsOf(live)).toEqual([
      'SMTP_URL must be set in live mode: codes for signing in are sent by mail',
    ]);
  });

  it('EDGE-001 a bucket for pictures takes its address and both keys, and none of them alone', () => {
    const keys = { FILES_ACCESS_KEY_ID: 'id', FILES_SECRET_ACCESS_KEY: 'secret' };
    expect(settingsOf({ FILES_URL: 'https://s3.example/bucket', ...keys }).bucket).toEqual({
      url: 'https://s3.example/bucket',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
    expect(problemsOf({ FILES_URL: 'https://s3.example/bucket' })).toHaveLength(2);
    expect(problemsOf(keys)).toHaveLength(2);
    expect(settingsOf({}).bucket).toBeUndefined();
  });

  it('EDGE-002 are refused with one sentence for every wrong one, all at once', () => {
    const problems = problemsOf({
      PORT: '70000',
      CONSOLE_PORT: 'abc',
      MODE: 'production',
      DATABASE_URL: 'mysql://root:pass-word@db/x',
      SMTP_URL: 'not a url',
      PUBLIC_URL: 'ftp://host',
      TRUSTED_PROXY: 'forwarded-by',
      MAIL_FROM: 'nobody',
      LOG_LEVEL: 'loud',
      HOUSE_TRADING: 'sometimes',
      HOST: 'a b',
    });
    for (const name of [
      'PORT',
      'CONSOLE_PORT',
      'MODE',
      'DATABASE_URL',
      'SMTP_URL',
      'PUBLIC_URL',
      'TRUSTED_PROXY',
    ]) {
      expect(problems.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1);
    }
    expect(problems).toHaveLength(11);
    expect(problems.join()).not.toContain('pass-word');
  });

  it('ID-100 DB-063 take a secret of 64 hex digits, and further databases only beside the first', () => {
    const secret = 'c4'.repeat(32);
    const [owner, replica] = ['postgres://owner@db/x', 'postgresql:///x?host=/run/replica'];
    const further = { DATABASE_OWNER_URL: owner, REPLICA_DATABASE_URL: replica };
    expect(
      settingsOf({ SERVER_SECRET: secret, DATABASE_URL: 'postgres://server@db/x', ...further }),
    ).toMatchObject({ serverSecret: secret, databaseOwnerUrl: owner, replicaDatabaseUrl: replica });
    expect(problemsOf(further)).toEqual([
      'DATABASE_OWNER_URL belongs to DATABASE_URL, which is not set',
      'REPLICA_DATABASE_URL belongs to DATABASE_URL, which is not set',
    ]);
    const wrong = problemsOf({ SERVER_SECRET: 'hunter2' });
    expect(wrong).toEqual(['SERVER_SECRET must be 64 hex digits']);
  });

  it('EDGE-002 LIVE-010 refuse live mode without a mail server and TLS, both at once', () => {
    expect(problemsOf({ MODE: 'live' })).toEqual([
      'SMTP_URL must be set in live mode: codes for signing in are sent by mail',
      'PUBLIC_URL must be an https:// address in live mode: passwords travel over TLS only',
    ]);
  });

  it('HELP-021 take who runs the exchange, each in one line', () => {
    expect(settingsOf({}).operator).toEqual({});
    const named = { LEGAL_ENTITY: 'Own Ltd.', LEGAL_ADDRESS: '1 Own Street', GOVERNING_LAW: 'Own law' };
    expect(settingsOf({ ...named, SUPPORT_EMAIL: 'help@own.test' }).operator).toEqual({
      entity: 'Own Ltd.',
      address: '1 Own Street',
      governingLaw: 'Own law',
      supportEmail: 'help@own.test',
    });
    const wrong = problemsOf({ LEGAL_ENTITY: 'a\nb', LEGAL_ADDRESS: 'a'.repeat(301), SUPPORT_EMAIL: 'us' });
    expect(wrong.map((problem) => problem.split(' ')[0])).toEqual([
      'LEGAL_ENTITY',
      'LEGAL_ADDRESS',
      'SUPPORT_EMAIL',
    ]);
  });

  it('EDGE-002 refuse one port for both servers, but any free port for both', () => {
    expect(problemsOf({ PORT: '4000', CONSOLE_PORT: '4000' })).toEqual([
      'CONSOLE_PORT must differ from PORT, both are 4000',
    ]);
    expect(problemsOf({ PORT: '0', CONSOLE_PORT: '0' })).toEqual([]);
    expect(
      problemsOf({ PUBLIC_URL: 'https://own.test', CUSTOMER_SERVICE_URL: 'https://own.test/chat' }),
    ).toEqual(['CUSTOMER_SERVICE_URL must be of another origin than PUBLIC_URL: its frame may run scripts']);
  });

  it('XRP-009 take the XRP Ledger whole or not at all, and a test network only in a demo', () => {
    const account = 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq';
    const ledger = {
      XRP_RPC_URL: 'http://127.0.0.1:5005',
      XRP_ACCOUNT: account,
      XRP_NETWORK_ID: '1',
    };
    expect(settingsOf({}).xrp).toBeUndefined();
    expect(settingsOf(ledger).xrp).toMatchObject({
      account,
      networkId: 1,
      fees: { least: 12n, most: 2_000n },
    });
    expect(problemsOf({ XRP_ACCOUNT: account })).toEqual(['XRP_RPC_URL must be set too']);
    const changed = (changes: Record<string, string>) => problemsOf({ ...ledger, ...changes });
    const problems: readonly (readonly [Record<string, string>, string])[] = [
      [{ XRP_NETWORK_ID: '0' }, 'XRP_NETWORK_ID must be that of a test network in a demo'],
      [{ XRP_ACCOUNT: `${account}x` }, 'XRP_ACCOUNT must be an account'],
      [{ XRP_RPC_URL: 'http://a:b@node.test' }, 'XRP_RPC_URL must be an http'],
      [{ XRP_COLD_WALLET: account }, 'XRP_COLD_WALLET must be another account'],
      [{ XRP_RESERVES: account }, 'XRP_RESERVES must be other accounts'],
      [{ XRP_SIGNER: '/run/signer' }, 'XRP_SIGNER and XRP_SIGNER_SECRET_FILE'],
      [{ XRP_HOT_BOUNDS: '1/2/3' }, 'XRP_HOT_BOUNDS needs'],
      [{ XRP_FEE_DROPS: '500/12' }, 'XRP_FEE_DROPS must be'],
    ];
    for (const [changes, problem] of problems)
      expect(changed(changes), problem).toEqual([expect.stringContaining(problem)]);
  });

  it('UTXO-002 UTXO-012 take a chain of the Bitcoin family whole or not at all, and never a private key', () => {
    const zpub =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
    const chain = {
      LTC_RPC_URL: 'http://127.0.0.1:19443',
      LTC_RPC_AUTH_FILE: '/node/.cookie',
      LTC_XPUB: zpub,
      LTC_CHAIN: 'regtest',
    };
    const reserve = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';
    expect(settingsOf({}).utxo).toEqual([]);
    const [litecoin] = settingsOf({
      ...chain,
      LTC_CONFIRMATIONS: '3, 10=6, 1000.5=12',
      LTC_START_BLOCK: '7',
      LTC_RESERVES: `${reserve},`,
    }).utxo;
    expect(litecoin).toMatchObject({
      network: 'LTC',
      chain: 'regtest',
      authFile: '/node/.cookie',
      xpub: expect.stringMatching(/^xpub6CatWdiZiodmUeTDp8LT5/) as string,
      startBlock: 7,
      reserves: [reserve],
    });
    expect(litecoin!.steps.map(({ from, confirmations }) => `${from}=${confirmations}`)).toEqual([
      '0=3',
      '10=6',
      '1000.5=12',
    ]);
    const changed = (changes: Record<string, string>) => problemsOf({ ...chain, ...changes });
    expect(problemsOf({ BTC_XPUB: zpub })).toEqual([
      'BTC_RPC_URL and BTC_RPC_AUTH_FILE must be set too: a chain needs all of BTC_RPC_URL, BTC_RPC_AUTH_FILE, BTC_XPUB',
    ]);
    expect(changed({ LTC_CHAIN: 'main' })).toEqual([
      'LTC_CHAIN must be regtest in a demo, whose coins are no money',
    ]);
    const live = { MODE: 'live', SMTP_URL: 'smtp://mail.test', PUBLIC_URL: 'https://own.test' };
    expect(changed(live)).toEqual(['LTC_CHAIN must be main in live mode: anybody can make coins on regtest']);
    expect(changed({ ...live, LTC_CHAIN: 'main' })).toEqual([]);
    expect(changed({ LTC_CHAIN: 'signet' })).toEqual(['LTC_CHAIN must be main or regtest, not "signet"']);
    const secret =
      'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE';
    expect(changed({ LTC_XPUB: secret })).toEqual([
      'LTC_XPUB is a private key: the server takes only the public one, and this one should not be used any more',
    ]);
    expect(changed({ LTC_XPUB: zpub.slice(1) })).toEqual([
      'LTC_XPUB must be the extended public key of an account, such as xpub… or zpub…',
    ]);
    expect(changed({ LTC_RPC_URL: 'http://user:word@127.0.0.1' })).toEqual([
      'LTC_RPC_URL must be an http:// or https:// address without a password: that is in the file of the credentials',
    ]);
    for (const steps of ['0', '10=3', '3, 10=2', '3, 10=6, 5=9', '3, x=4'])
      expect(changed({ LTC_CONFIRMATIONS: steps })).toEqual([
        'LTC_CONFIRMATIONS must be COUNT, AMOUNT=COUNT, … with rising amounts and counts, such as 3, 100=6, 1000=12',
      ]);
    expect(changed({ LTC_COLD_XPUB: chain.LTC_XPUB })).toEqual([
      'LTC_COLD_XPUB must be the key of another account than LTC_XPUB',
    ]);
    expect(changed({ LTC_COLD_XPUB: 'no key' })).toEqual([
      'LTC_COLD_XPUB must be the extended public key of an account, such as xpub… or zpub…',
    ]);
    expect(changed({ LTC_RESERVES: `${reserve}, 0x1`, LTC_START_BLOCK: '-1' })).toEqual([
      'LTC_START_BLOCK must be a whole number from 0 on',
      'LTC_RESERVES must be addresses of LTC, parted by commas, not "0x1"',
    ]);
  });

  it('UTXO-048 Dogecoin has the settings of the other networks for sending, and fee rates of its own', () => {
    const chain = {
      DOGE_RPC_URL: 'http://127.0.0.1:22555',
      DOGE_RPC_AUTH_FILE: '/node/.cookie',
      DOGE_XPUB:
        'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
      DOGE_CHAIN: 'regtest',
      DOGE_SIGNER: '/run/doge',
      DOGE_SIGNER_SECRET_FILE: '/secret',
      DOGE_COLD_WALLET: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
      DOGE_HOT_BOUNDS: '1000/5000/20000',
    };
    expect(settingsOf(chain).utxo).toMatchObject([
      {
        network: 'DOGE',
        sending: expect.objectContaining({ signer: '/run/doge' }) as unknown,
        rates: { least: 1_000_000n, consolidate: 2_000_000n, most: 50_000_000n },
      },
    ]);
    expect(settingsOf({ ...chain, DOGE_FEE_RATE: '100/200/300' }).utxo).toHaveLength(1);
    expect(problemsOf({ ...chain, DOGE_FEE_RATE: '99/200/300' })).toEqual([
      'DOGE_FEE_RATE must begin with 100 or more: nodes of DOGE pass on no transaction for less',
    ]);
    expect(problemsOf({ ...chain, DOGE_FEE_RATE: '3/2/1' })).toEqual([
      'DOGE_FEE_RATE must be LEAST/CHEAP/MOST in the smallest unit per virtual byte and not falling, such as 1000/2000/50000',
    ]);
    expect(problemsOf({ ...chain, DOGE_COLD_WALLET: 'ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn' })).toEqual(
      ['DOGE_COLD_WALLET must be an address of DOGE'],
    );
  });

  it('DEP-038 TRE-035 take a chain whole or not at all, and in a demo a test chain only', () => {
    const xpub = `xpub${'6'.repeat(107)}`;
    const chain = { EVM_RPC_URL: 'http://127.0.0.1:8545', EVM_XPUB: xpub };
    const contract = '0xDAC17F958D2ee523a2206206994597C13D831ec7';
    const tested = { ...chain, EVM_CHAIN_ID: '31337', EVM_TOKENS: `USDT=${contract}:6` };
    expect(settingsOf({}).evm).toEqual([]);
    const chainOf = (settings: Record<string, string>) => settingsOf(settings).evm[0];
    expect(chainOf(tested)).toMatchObject({
      chainId: 31_337,
      network: 'ERC20',
      xpub,
      confirmations: undefined,
      sending: undefined,
      replacement: { afterMs: 600_000, maxFee: 100_000_000_000n },
      tokens: new Map([['USDT', { contract: contract.toLowerCase(), digits: 6 }]]),
    });
    expect(chainOf({ ...tested, EVM_RESERVES: `${contract}, ${contract}` })).toMatchObject({
      reserves: [contract, contract],
    });
    const wallet = '0x1111111111111111111111111111111111111111';
    const paying = { ...tested, EVM_WALLET: wallet, EVM_SIGNER: '/run/signer', EVM_SIGNER_SECRET_FILE: '/s' };
    const bounded = { ...paying, EVM_COLD_WALLET: contract, EVM_HOT_BOUNDS: 'USDT=20/50/100, ETH=0.5/1/2' };
    expect(chainOf(bounded)?.cold).toBe(contract);
    const limits = [...(chainOf(bounded)?.bounds ?? [])].map(
      ([asset, { least, target, most }]) => `${asset} ${least} ${target} ${most}`,
    );
    expect(limits).toEqual(['USDT 20 50 100', 'ETH 0.5 1 2']);
    const boundsProblem = (bounds: string, changes: Record<string, string> = {}) =>
      problemsOf({ ...bounded, EVM_HOT_BOUNDS: bounds, ...changes });
    expect(boundsProblem('USDT=20/50')).toEqual([
      'EVM_HOT_BOUNDS must be COIN=LEAST/TARGET/MOST, parted by commas',
    ]);
    expect(boundsProblem('USDT=50/50/100')).toEqual([
      'EVM_HOT_BOUNDS must be ordered: USDT needs LEAST < TARGET < MOST',
    ]);
    expect(boundsProblem('SHIB=1/2/3')).toEqual(['EVM_HOT_BOUNDS names SHIB, which this chain does not pay']);
    expect(boundsProblem('ETH=1/2/3', { EVM_COLD_WALLET: wallet })).toEqual([
      'EVM_COLD_WALLET must differ from EVM_WALLET',
    ]);
    expect(problemsOf({ ...tested, EVM_HOT_BOUNDS: 'ETH=1/2/3' })).toEqual([
      'EVM_WALLET and EVM_COLD_WALLET must be set too: EVM_HOT_BOUNDS needs it',
    ]);
    expect(chainOf({ ...paying, EVM_SWEEP_FACTOR: '10' })?.sweeping).toEqual({
      factor: 10,
      maxFee: 50_000_000_000n,
    });
    expect(chainOf(paying)?.sweeping).toBeUndefined();
    expect(problemsOf({ ...tested, EVM_SWEEP_FACTOR: '10' })).toEqual([
      'EVM_WALLET must be set too: EVM_SWEEP_FACTOR needs it',
    ]);
    expect(problemsOf({ ...paying, EVM_SWEEP_FACTOR: '10', EVM_NETWORK: 'BEP20' })).toEqual([
      'EVM_SWEEP_FACTOR needs a network whose coin is listed, and that of BEP20 is not: set EVM_SWEEP_LEAST',
    ]);
    expect(problemsOf({ ...tested, EVM_RESERVES: `${contract},0x1` })).toEqual([
      `EVM_RESERVES must be addresses of 0x and 40 hex digits, parted by commas, not "${contract},0x1"`,
    ]);
    expect(problemsOf(chain)).toEqual([
      'EVM_CHAIN_ID must be 1337 or 31337 in a demo, whose coins are no money',
    ]);
    const live = { MODE: 'live', SMTP_URL: 'smtp://mail.test', PUBLIC_URL: 'https://own.test' };
    expect(problemsOf({ ...live, ...chain })).toEqual([]);
    expect(problemsOf({ ...live, EVM_XPUB: xpub })).toEqual([
      'EVM_RPC_URL and EVM_XPUB must both be set, or neither',
    ]);
    for (const own of [{}, { EVM_XPUB: xpub }])
      expect(problemsOf({ ...live, ...own, EVM_TOKENS: `USDT=${contract}:6` })).toEqual([
        'EVM_RPC_URL must be set too: without a node nothing of EVM is used',
      ]);
    expect(problemsOf({ ...tested, EVM_WALLET: contract })).toEqual([
      'EVM_SIGNER and EVM_SIGNER_SECRET_FILE must be set too: payments need all of EVM_WALLET, EVM_SIGNER, EVM_SIGNER_SECRET_FILE',
    ]);
    expect(problemsOf({ ...tested, EVM_XPUB: 'xprv1', EVM_TOKENS: 'USDT' })).toEqual([
      'EVM_XPUB must be an extended public key that begins with xpub',
      'EVM_TOKENS must be COIN=0x…:DIGITS, parted by commas',
    ]);
  });

  it('NET-001 NET-002 take several EVM networks, each with its own settings, and none twice', () => {
    const contract = '0x55d398326f99059ff775485246999027b3197955';
    const wallet = '0x1111111111111111111111111111111111111111';
    const first = {
      EVM_RPC_URL: 'http://127.0.0.1:8545',
      EVM_XPUB: `xpub${'6'.repeat(107)}`,
      EVM_CHAIN_ID: '31337',
    };
    const second = {
      ...first,
      BEP20_RPC_URL: 'http://127.0.0.1:8546',
      BEP20_CHAIN_ID: '1337',
      BEP20_TOKENS: `USDT=${contract}:18`,
      BEP20_FINALITY: 'finalized',
      BEP20_FEE_MODEL: 'legacy',
      BEP20_TIP_GWEI: '3',
      BEP20_CONFIRMATIONS: '5',
    };
    const settings = settingsOf(second);
    expect(settings.evm).toMatchObject([
      {
        network: 'ERC20',
        chainId: 31_337,
        finality: 'latest',
        feeModel: 'eip1559',
        leastTip: 0n,
        confirmations: undefined,
      },
      {
        network: 'BEP20',
        chainId: 1_337,
        finality: 'finalized',
        feeModel: 'legacy',
        leastTip: 3_000_000_000n,
        confirmations: 5,
      },
    ]);
    expect(settings.evm[1]!.xpub).toBe(settings.evm[0]!.xpub);
    // A configured chain replaces the demo's deposit address for the same coin and network; operators review the
    // deposits at that demo address by hand.
    expect([...settings.manualDeposits.keys()]).toEqual([]);
    expect([...settingsOf(first).manualDeposits.keys()]).toEqual(['USDT/BEP20']);
    const changed = (changes: Record<string, string>) => problemsOf({ ...second, ...changes });
    expect(changed({ EVM_XPUB: '', EVM_RPC_URL: '' })).toEqual([
      'EVM_RPC_URL must be set too: without a node nothing of EVM is used',
      'EVM_XPUB must be set too: users have the same address on all networks of this kind',
    ]);
    expect(changed({ BEP20_RPC_URL: '' })).toEqual([
      'BEP20_RPC_URL must be set too: without a node nothing of BEP20 is used',
    ]);
    expect(changed({ BEP20_CHAIN_ID: '31337' })).toEqual([
      'BEP20_CHAIN_ID must differ from EVM_CHAIN_ID: what is signed for a chain is valid on every chain with its id',
    ]);
    expect(changed({ EVM_NETWORK: 'BEP20' })).toEqual([
      'BEP20_RPC_URL cannot be set: EVM_RPC_URL is a node of BEP20',
    ]);
    expect(changed({ EVM_NETWORK: 'MATIC' })).toEqual([
      'EVM_NETWORK must be ERC20 or BEP20 or POLYGON or ARBITRUM, not "MATIC"',
    ]);
    expect(changed({ BEP20_FINALITY: 'soon', BEP20_FEE_MODEL: 'free' })).toEqual([
      'BEP20_FINALITY must be latest or safe or finalized, not "soon"',
      'BEP20_FEE_MODEL must be eip1559 or legacy, not "free"',
    ]);
    expect(changed({ BEP20_TIP_GWEI: '2.5' })).toEqual([
      'BEP20_TIP_GWEI must be a whole number from 1 on, not "2.5"',
    ]);
    expect(changed({ BEP20_TIP_GWEI: '100' })).toEqual([]);
    expect(changed({ BEP20_TIP_GWEI: '101' })).toEqual([
      'BEP20_TIP_GWEI must be at most BEP20_REPLACE_GWEI, 100, which bounds the whole fee',
    ]);
    const swept = {
      EVM_WALLET: wallet,
      EVM_SIGNER: '/run/signer',
      EVM_SIGNER_SECRET_FILE: '/s',
      EVM_SWEEP_FACTOR: '10',
    };
    expect(changed({ ...swept, EVM_TIP_GWEI: '51' })).toEqual([
      'EVM_TIP_GWEI must be at most EVM_SWEEP_GWEI, 50, which bounds the whole fee',
    ]);
    const paid = (prefix: string) => ({
      [`${prefix}_WALLET`]: wallet,
      [`${prefix}_SIGNER`]: '/run/signer',
      [`${prefix}_SIGNER_SECRET_FILE`]: '/s',
    });
    expect(changed({ ...paid('EVM'), ...paid('BEP20') })).toEqual([
      'BEP20_SIGNER must differ from EVM_SIGNER: each network has a signer with its own journal and nonces',
    ]);
  });

  it('NET-019 NET-020 NET-021 an optional network is offered with its node only, and takes its rules from the network table', () => {
    const contract = '0xc2132D05D31c914a87C6611C10748AEb04B58e8F';
    const wallet = '0x95222290DD7278Aa3Ddd389Cc1E1d165CC4BAfe5';
    const live = {
      MODE: 'live',
      SMTP_URL: 'smtp://mail.internal',
      PUBLIC_URL: 'https://exchange.example',
    };
    const shared = {
      ...live,
      EVM_XPUB:
        'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj',
    };
    const both = {
      ...shared,
      POLYGON_RPC_URL: 'http://127.0.0.1:8545',
      POLYGON_TOKENS: `USDT=${contract}:6`,
      ARBITRUM_RPC_URL: 'http://127.0.0.1:8546',
      EXPLORERS: 'POLYGON=https://explorer.test/tx/{txid}',
    };
    const offered = (settings: Record<string, string>) =>
      settingsOf(settings).offered.networks.map(({ code }) => code);
    expect(offered(live)).not.toContain('POLYGON');
    expect(offered(live)).not.toContain('ARBITRUM');
    expect(offered(both)).toEqual(expect.arrayContaining(['ERC20', 'BEP20', 'POLYGON', 'ARBITRUM']));
    const first = { ...shared, EVM_NETWORK: 'ARBITRUM', EVM_RPC_URL: 'http://127.0.0.1:8546' };
    expect(offered(first)).toContain('ARBITRUM');
    const GWEI = 1_000_000_000n;
    expect(settingsOf(both).evm).toMatchObject([
      {
        network: 'POLYGON',
        chainId: 137,
        finality: 'finalized',
        leastTip: 25n * GWEI,
        replacement: { maxFee: 2_000n * GWEI },
      },
      {
        network: 'ARBITRUM',
        chainId: 42_161,
        finality: 'finalized',
        leastTip: 0n,
        replacement: { maxFee: 20n * GWEI },
      },
    ]);
    const changed = (changes: Record<string, string>) => problemsOf({ ...both, ...changes });
    expect(changed({})).toEqual([]);
    expect(problemsOf({ ...live, EXPLORERS: both.EXPLORERS })).toEqual([
      'EXPLORERS must be NETWORK=https://…{txid}…, parted by commas, not "POLYGON=https://explorer.test/tx/{txid}"',
    ]);
    expect(problemsOf({ ...live, MANUAL_DEPOSITS: `USDT/POLYGON=${wallet}` })).toEqual([
      'POLYGON_RPC_URL must be set for MANUAL_DEPOSITS: POLYGON is offered only with a node',
    ]);
    expect(changed({ MANUAL_DEPOSITS: `USDT/POLYGON=${wallet}` })).toEqual([]);
    expect(changed({ POLYGON_FINALITY: 'latest' })).toEqual([
      'POLYGON_CONFIRMATIONS must be set with POLYGON_FINALITY latest: the usual number counts final blocks only',
    ]);
    expect(changed({ POLYGON_FINALITY: 'latest', POLYGON_CONFIRMATIONS: '128' })).toEqual([]);
    expect(changed({ POLYGON_REPLACE_GWEI: '24' })).toEqual([
      'POLYGON_TIP_GWEI must be at most POLYGON_REPLACE_GWEI, 24, which bounds the whole fee',
    ]);
    const paying = (prefix: string) => ({
      [`${prefix}_WALLET`]: wallet,
      [`${prefix}_SIGNER`]: '/run/signer',
      [`${prefix}_SIGNER_SECRET_FILE`]: '/s',
    });
    expect(changed({ POLYGON_SWEEP_LEAST: '20' })).toEqual([
      'POLYGON_WALLET must be set too: POLYGON_SWEEP_LEAST needs it',
    ]);
    expect(changed({ ...paying('POLYGON'), POLYGON_SWEEP_LEAST: '0' })).toEqual([
      'POLYGON_SWEEP_LEAST must be an amount in USDT above zero, not "0"',
    ]);
    expect(changed({ ...paying('ARBITRUM'), ARBITRUM_SWEEP_LEAST: '20' })).toEqual([
      'ARBITRUM_SWEEP_LEAST is for networks whose coin is not listed, and that of ARBITRUM is: set ARBITRUM_SWEEP_FACTOR',
    ]);
    const swept = settingsOf({ ...both, ...paying('POLYGON'), POLYGON_SWEEP_LEAST: '20.5' }).evm[0]!
      .sweeping!;
    expect([swept.least!.toString(), swept.maxFee]).toEqual(['20.5', 500n * GWEI]);
  });

  it('TRX-007 take TRON whole or not at all, and in a demo a test network only', () => {
    const contract = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    const tron = {
      TRON_RPC_URL: 'http://127.0.0.1:8091',
      TRON_XPUB:
        'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj',
      TRON_TOKENS: `USDT=${contract}:6`,
      TRON_CHAIN: 'nile',
    };
    expect(settingsOf({}).tron).toBeUndefined();
    expect(settingsOf({ ...tron, TRON_START_BLOCK: '7' }).tron).toMatchObject({
      chain: 'nile',
      startBlock: 7,
      tokens: new Map([['USDT', { contract, digits: 6 }]]),
    });
    const changed = (changes: Record<string, string>) => problemsOf({ ...tron, ...changes });
    expect(changed({ TRON_XPUB: '', TRON_TOKENS: '' })).toEqual([
      'TRON_XPUB and TRON_TOKENS must be set too',
    ]);
    expect(changed({ TRON_CHAIN: '' })).toEqual([
      'TRON_CHAIN must be a test network in a demo, whose coins are no money',
    ]);
    expect(changed({ TRON_TOKENS: `USDT=${contract.slice(0, -1)}7:6` })).toEqual([
      'TRON_TOKENS must be COIN=T…:DIGITS, parted by commas',
    ]);
    expect(changed({ TRON_TOKENS: `ETH=${contract}:6` })).toEqual([
      'TRON_TOKENS names ETH, which has no network TRC20 here',
    ]);
    expect(changed({ TRON_RESERVES: `${contract}, 0x1`, TRON_RPC_URL: 'http://a:b@c' })).toEqual([
      'TRON_RPC_URL must be an http:// or https:// address without a password',
      'TRON_RESERVES must be addresses of TRON, parted by commas, not "0x1"',
    ]);
  });

  it('TRON-008 take payments on TRON whole or not at all', () => {
    const contract = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    const [wallet, cold] = ['TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'];
    const paying = {
      TRON_RPC_URL: 'http://127.0.0.1:8091',
      TRON_XPUB:
        'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj',
      TRON_TOKENS: `USDT=${contract}:6`,
      TRON_CHAIN: 'nile',
      TRON_WALLET: wallet,
      TRON_SIGNER: '/run/signer',
      TRON_SIGNER_SECRET_FILE: '/s',
    };
    const all = {
      ...paying,
      TRON_COLD_WALLET: cold,
      TRON_HOT_BOUNDS: 'USDT=1000/2000/3000',
      TRON_SWEEP_LEAST: '100',
      TRON_FEE_TRX: '40.5',
      TRON_FULL_URL: 'http://127.0.0.1:8090',
      TRON_SECOND_URL: 'https://node.test',
    };
    const settings = settingsOf(all).tron!;
    expect(settings).toMatchObject({
      fullUrl: 'http://127.0.0.1:8090',
      secondUrl: 'https://node.test',
      sending: { wallet, signer: '/run/signer', secretFile: '/s' },
      cold,
      feeMost: 40_500_000n,
    });
    expect([settings.sweepLeast?.toString(), [...settings.bounds.keys()]]).toEqual(['100', ['USDT']]);
    expect(settingsOf(paying).tron).toMatchObject({ feeMost: 60_000_000n, sweepLeast: undefined });
    const faults: [Record<string, string>, string][] = [
      [{ TRON_WALLET: '' }, 'TRON_WALLET must be set too: payments need all of'],
      [{ TRON_WALLET: `${wallet}x` }, 'TRON_WALLET must be an address of TRON'],
      [{ TRON_SIGNER: '10.0.0.2:7000' }, 'TRON_SIGNER is incomplete'],
      [{ TRON_COLD_WALLET: wallet }, 'TRON_COLD_WALLET must be another address of TRON than TRON_WALLET'],
      [{ TRON_COLD_WALLET: '' }, 'TRON_HOT_BOUNDS needs TRON_WALLET and TRON_COLD_WALLET'],
      [{ TRON_HOT_BOUNDS: 'USDT=3/2/1' }, 'TRON_HOT_BOUNDS must be ordered'],
      [{ TRON_HOT_BOUNDS: 'ETH=1/2/3' }, 'TRON_HOT_BOUNDS names ETH'],
      [{ TRON_FEE_TRX: '0' }, 'TRON_FEE_TRX must be a number of TRX above 0'],
      [{ TRON_FEE_TRX: 'much' }, 'TRON_FEE_TRX must be a number of TRX above 0'],
      [{ TRON_SWEEP_LEAST: '-1' }, 'TRON_SWEEP_LEAST must be an amount of USDT above 0'],
      [{ TRON_FULL_URL: 'node' }, 'TRON_FULL_URL must be an http'],
      [{ TRON_SECOND_URL: 'http://a:b@c' }, 'TRON_SECOND_URL must be an http'],
    ];
    for (const [changes, problem] of faults) expect(problemsOf({ ...all, ...changes })[0]).toContain(problem);
  });

  it('NET-017 take pages of explorers over https, of known networks and with a place for the transaction', () => {
    const page = 'https://etherscan.io/tx/{txid}';
    expect(settingsOf({ EXPLORERS: `ERC20=${page}, BTC=https://mempool.space/tx/{txid}` }).explorers).toEqual(
      new Map([
        ['ERC20', page],
        ['BTC', 'https://mempool.space/tx/{txid}'],
      ]),
    );
    for (const wrong of [`MOON=${page}`, 'ERC20=https://etherscan.io/tx/', 'ERC20=http://a/{txid}', 'ERC20'])
      expect(problemsOf({ EXPLORERS: `BTC=https://b.test/{txid}, ${wrong}` })[0]).toContain(
        'EXPLORERS must be NETWORK=https://…{txid}…, parted by commas, not "',
      );
  });

  it('EDGE-180 keep a server on the loopback', () => {
    const live = { MODE: 'live', SMTP_URL: 'smtp://mail.test', PUBLIC_URL: 'https://own.test' };
    for (const environment of [{}, live]) expect(settingsOf(environment).host).toBe('127.0.0.1');
  });

  it('EDGE-182 show mail only in a demo that cannot send it', () => {
    expect(showsMail(settingsOf({}))).toBe(true);
    expect(showsMail(settingsOf({ SMTP_URL: 'smtp://mail.test' }))).toBe(false);
    const live = { MODE: 'live', SMTP_URL: 'smtp://mail.test', PUBLIC_URL: 'https://own.test' };
    expect(showsMail(settingsOf(live))).toBe(false);
  });

  it('read what is given', () => {
    const settings = settingsOf({
      MODE: 'live',
      DATABASE_URL: 'postgres:///exchange?host=/run/postgresql',
      PUBLIC_URL: 'https://exchange.test/',
      TRUSTED_PROXY: 'X-Forwarded-For',
      MAIL_FROM: 'Amethyst <post@exchange.test>',
      DATA_DIR: '/var/exchange',
      SMTP_URL: 'smtp://mail.exchange.test:587',
      LOG_LEVEL: '  ',
      CUSTOMER_SERVICE_URL: 'https://chat.test/window?site=7',
    });
    expect(settings).toMatchObject({
      mode: 'live',
      databaseUrl: 'postgres:///exchange?host=/run/postgresql',
      publicUrl: 'https://exchange.test',
      proxyHeader: 'x-forwarded-for',
      mailFrom: 'Amethyst <post@exchange.test>',
      dataDirectory: '/var/exchange',
      smtpUrl: 'smtp://mail.exchange.test:587',
      chat: { url: 'https://chat.test/window?site=7', key: undefined },
      logLevel: 'info',
      houseTrades: true,
    });
  });
});
