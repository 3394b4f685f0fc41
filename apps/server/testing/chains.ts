/**
 * `npm run chains`: a demo exchange with test chains on this machine, for trying deposits and withdrawals by hand. It
 * starts nodes of Ethereum and BNB Smart Chain (anvil) and of Litecoin (litecoind), simulates nodes of the XRP Ledger
 * and of TRON, and starts a signer for each chain and the exchange. Another node of Litecoin behind a proxy simulates
 * Dogecoin: addresses and transactions of the exchange are those of Dogecoin. A block is made every 10 seconds. These
 * commands are read from the terminal. The first seven pay from a wallet outside the exchange:
 *
 *   eth ADDRESS AMOUNT   usdt ADDRESS AMOUNT   bsc ADDRESS AMOUNT   tron ADDRESS AMOUNT   ltc ADDRESS AMOUNT
 *   doge ADDRESS AMOUNT   xrp ADDRESS AMOUNT TAG   refill eth|usdt|tron|ltc|xrp AMOUNT   mine   reorg
 *   inside ADDRESS AMOUNT   vault   lose eth|usdt|ltc AMOUNT [ADDRESS]   fee GWEI   hold   restart [FOLDER]
 *
 * `usdt` pays USDT on Ethereum, `bsc` and `tron` pay USDT on their networks. `refill` pays from the cold
 * wallet of a network into its hot wallet. `mine` makes a block on every chain, `reorg` replaces the newest
 * block of Litecoin. At the start the hot wallets of Ethereum (ETH), TRON, Litecoin and XRP hold more than
 * their upper bounds, so the console proposes to move the surplus to the cold wallets; Dogecoin has no cold
 * wallet here. The console proposes a refill when withdrawals have emptied a hot wallet.
 *
 * The commands of the third line are for what does not go as planned:
 *
 * - `inside` pays ether from inside a contract, which the exchange does not see without traces; `vault` prints the
 *   address of a contract that accepts no ether.
 * - `lose` pays from the cold wallet to a stranger, ether also from another ADDRESS of the exchange, such as a deposit
 *   address, so that less is held than users own. With `HOUSE_TRADING=off` the house itself holds nothing.
 * - `fee` gives every block of Ethereum this base fee until `fee 0`; `hold` leaves the transactions of Litecoin out of
 *   blocks until it is entered again. Payments with lower fees then wait, and are replaced after a minute.
 * - `restart` stops the exchange and starts it again on the same chains, with the data folder FOLDER if it is named.
 *
 * A withdrawal to a new address waits for a day. A withdrawal to one of the demo trader's saved addresses (USDT and
 * XRP) is sent as soon as operators approve it in the console. With `npm run chains -- --yesterday` the clock of the
 * exchange is a day behind until the first `restart`: save addresses in the address book, and enter `restart`. Their
 * waiting time has then ended.
 *
 * The commands for operators (`npm run audit`, `backup`, `restore`, `compare-restore`, `rotate-secret`) need the
 * settings of the exchange. The start prints a file with these settings, and the folders of the signers. To restore a
 * backup, set `DATA_DIR` to a new folder with a copy of `secret.key`, restore into it, and enter `restart` with that
 * folder.
 *
 * `PORT`, `CONSOLE_PORT` and `DATA_DIR` have the same meaning as for `npm start`. DATA_DIR must be empty, because the
 * chains are new at each start. Ctrl-C ends all processes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Decimal } from '@exchange/core/decimal.ts';
import { ADDRESS_WAIT_MS } from '@exchange/core/network.ts';
import { HOUR_MS } from '@exchange/core/time.ts';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import {
  account,
  Anvil,
  ANVIL_CHAIN,
  forwarderCode,
  REFUSING_CODE,
  testXpub,
  withoutAnvil,
} from './anvil.ts';
import { Litecoind, publicAddress, testAccountXpub, withoutLitecoind } from './litecoind.ts';
import { anOldNodeProxy } from './old-node-proxy.ts';
import { FakeRippled } from './fake-rippled.ts';
import { FakeTron, TRON_USDT } from './fake-tron.ts';
import { lateClockModule } from './late-clock.ts';
import { aSigner } from './test-signer.ts';
import { SIGNED_SERVER_SECRET } from './signers.ts';
import { aTronSigner, testTronXpub } from './test-tron-signer.ts';
import { aUtxoSigner } from './test-utxo-signer.ts';
import { anXrpSigner, XRP_TEST_NETWORK } from './test-xrp-signer.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ETH_DIGITS = 18;
const USDT_DIGITS = 6;
/** The simulated BNB Smart Chain: decimals of its USDT, the chain's id, and the hot wallet's initial amount in USDT. */
const BSC = { digits: 18, chainId: 1_337, hotStart: '100000000' };
/** The paying address on the simulated TRON network. It needs no TRX there. */
const TRON_PAYER = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9';
const XRP_DIGITS = 6;
/** Index of the account of the test mnemonic that serves as Ethereum's cold wallet. */
const COLD_ACCOUNT = 20;
/** Initial ether and USDT of Ethereum's hot and cold wallet. */
const HOT_START = { eth: '120', usdt: '40000' };
const COLD_START = { eth: '10000', usdt: '500000' };
const HOT_BOUNDS = 'ETH=20/50/100, USDT=20000/50000/100000';
const BLOCK_MS = 10_000;
/** Initial litecoins of the hot and the cold wallet, and the number of block rewards that pay for both. */
const LITECOIN_START = { hot: '200', cold: '400' };
const LITECOIN_REWARDS = 20;
const LITECOIN_BOUNDS = '50/100/150';
/**
 * Initial dogecoins of the hot wallet, the number of block rewards (50 coins each) that pay for it and for
 * deposits, and the setting `DOGE_FEE_RATE`. The maximum fee rate is low, because the node is one of
 * Litecoin, which refuses fees above 10,000 units per byte.
 */
const DOGECOIN = { hotStart: '2000', rewards: 200, feeRate: '1000/2000/8000' };
/**
 * Address of the cold wallet on the simulated XRP Ledger, and the initial XRP of the hot and the cold wallet.
 */
const XRP_COLD = 'rLHzPsX6oXkzU2qL12kHCH8G8cnZv1rBJh';
const XRP_START = { hot: '5000', cold: '100000' };
const XRP_BOUNDS = '1000/2000/4000';
/**
 * Address of the cold wallet on the simulated TRON network, and the initial USDT of the wallets there; `trx`
 * is the hot wallet's TRX.
 */
const TRON_COLD = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const TRON_START = { payer: '100000000', hot: '10000', cold: '100000', trx: '100000' };
const TRON_BOUNDS = 'USDT=2000/5000/8000';
const TRX_DIGITS = 6;
/**
 * Index of the account of the test mnemonic that pays from inside a contract, and that receives what the cold
 * wallets lose.
 */
const STRANGER = 7;
const WEI_PER_GWEI_DIGITS = 9;
/**
 * Number of blocks mined on each EVM chain so that all earlier blocks are final: one more than
 * `EVM_CONFIRMATIONS` and `BEP20_CONFIRMATIONS` below.
 */
const FINAL_BLOCKS = 4;

const missing = withoutAnvil() ?? withoutLitecoind();
if (missing !== undefined) process.exit(1);

const say = (line: string) => process.stdout.write(`${line}\n`);
const anvil = await Anvil.start();
const litecoind = await Litecoind.start(LITECOIN_REWARDS);
const [hot, outside, cold, stranger] = [account(0), account(1), account(COLD_ACCOUNT), account(STRANGER)];
const token = await anvil.deployToken(outside);
const bsc = await Anvil.start({ chainId: BSC.chainId });
const bscToken = await bsc.deployToken(outside);
const tron = new FakeTron();
await tron.start();
const tronSigner = await aTronSigner({ cold: TRON_COLD });
const rippled = new FakeRippled();
await rippled.start();
const evmSigner = await aSigner(token, 'ETH=50/1000, USDT=5000/100000', { cold: cold.address });
const litecoinColdPlace = await litecoind.rpc('getnewaddress', '', 'bech32');
const litecoinCold = publicAddress(litecoinColdPlace);
const utxoSigner = await aUtxoSigner({ cold: litecoinCold });
const dogeNode = await Litecoind.start(DOGECOIN.rewards);
const dogecoin = await anOldNodeProxy(dogeNode.url, {
  genesis: UTXO_NETWORKS.get('DOGE')!.genesis.regtest,
});
const dogeSigner = await aUtxoSigner({ code: 'DOGE', limit: '1000/10000' });
const bscSigner = await aSigner(bscToken, 'USDT=5000/100000', {
  chainId: BSC.chainId,
  network: 'BEP20',
  digits: BSC.digits,
});
const xrpSigner = await anXrpSigner({ limit: '1000/10000', cold: XRP_COLD });
const units = (amount: string, digits: number) => Decimal.parse(amount).toScaled(digits);
for (const [{ address }, start] of [
  [hot, HOT_START],
  [cold, COLD_START],
] as const) {
  await anvil.rpc('anvil_setBalance', address, `0x${units(start.eth, ETH_DIGITS).toString(16)}`);
  await anvil.setTokenBalance(token, address, units(start.usdt, USDT_DIGITS));
}
await bsc.setTokenBalance(bscToken, hot.address, units(BSC.hotStart, BSC.digits));
rippled.fund(xrpSigner.signer.address, units(XRP_START.hot, XRP_DIGITS));
rippled.fund(XRP_COLD, units(XRP_START.cold, XRP_DIGITS));
tron.fund(TRON_PAYER, { tokens: units(TRON_START.payer, USDT_DIGITS) });
tron.fund(TRON_COLD, { tokens: units(TRON_START.cold, USDT_DIGITS) });
tron.fund(tronSigner.signer.address, { coins: units(TRON_START.trx, TRX_DIGITS) });
tron.transfer({
  from: TRON_PAYER,
  to: tronSigner.signer.address,
  units: units(TRON_START.hot, USDT_DIGITS),
});
// Mines blocks, so that the deployment of the tokens is final before the exchange first reads balances.
await anvil.mine(FINAL_BLOCKS);
await bsc.mine(FINAL_BLOCKS);
await litecoind.pay({
  [utxoSigner.signer.address]: LITECOIN_START.hot,
  [litecoinCold]: LITECOIN_START.cold,
});
await dogeNode.pay({ [dogeSigner.signer.address]: DOGECOIN.hotStart });
const workFolder = mkdtempSync(join(tmpdir(), 'exchange-chains-'));
const ownFolder =
  process.env['DATA_DIR'] === undefined ? mkdtempSync(join(tmpdir(), 'exchange-data-')) : undefined;
let dataFolder = ownFolder ?? process.env['DATA_DIR']!;
mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
// The secret is in a file, because `npm run rotate-secret` replaces it there.
writeFileSync(join(dataFolder, 'secret.key'), `${SIGNED_SERVER_SECRET}\n`, { mode: 0o600 });
/**
 * Settings with which the exchange is started, besides `DATA_DIR`. The exchange also gets the environment
 * variables of this program; if both contain a name, the value here applies.
 */
const settings: Readonly<Record<string, string>> = {
  EVM_RPC_URL: anvil.url,
  EVM_CHAIN_ID: String(ANVIL_CHAIN),
  EVM_XPUB: testXpub(),
  EVM_TOKENS: `USDT=${token}:6`,
  EVM_CONFIRMATIONS: '3',
  EVM_START_BLOCK: '0',
  EVM_WALLET: hot.address,
  EVM_COLD_WALLET: cold.address,
  EVM_HOT_BOUNDS: HOT_BOUNDS,
  EVM_SWEEP_FACTOR: '10',
  EVM_SIGNER: evmSigner.place,
  EVM_SIGNER_SECRET_FILE: evmSigner.secretFile,
  EVM_REPLACE_MINUTES: '1',
  BEP20_RPC_URL: bsc.url,
  BEP20_CHAIN_ID: String(BSC.chainId),
  BEP20_TOKENS: `USDT=${bscToken}:${BSC.digits}`,
  BEP20_CONFIRMATIONS: '3',
  BEP20_START_BLOCK: '0',
  BEP20_WALLET: hot.address,
  BEP20_SIGNER: bscSigner.place,
  BEP20_SIGNER_SECRET_FILE: bscSigner.secretFile,
  TRON_RPC_URL: tron.url,
  TRON_CHAIN: 'nile',
  TRON_XPUB: testTronXpub(),
  TRON_TOKENS: `USDT=${TRON_USDT}:${USDT_DIGITS}`,
  TRON_START_BLOCK: '1',
  TRON_WALLET: tronSigner.signer.address,
  TRON_COLD_WALLET: TRON_COLD,
  TRON_HOT_BOUNDS: TRON_BOUNDS,
  TRON_SIGNER: tronSigner.place,
  TRON_SIGNER_SECRET_FILE: tronSigner.secretFile,
  TRON_SWEEP_LEAST: '100',
  LTC_RPC_URL: litecoind.url,
  LTC_RPC_AUTH_FILE: litecoind.authFile,
  LTC_XPUB: testAccountXpub(),
  LTC_CHAIN: 'regtest',
  LTC_CONFIRMATIONS: '2, 10=4',
  LTC_START_BLOCK: '0',
  LTC_COLD_WALLET: litecoinCold,
  LTC_HOT_BOUNDS: LITECOIN_BOUNDS,
  LTC_SIGNER: utxoSigner.place,
  LTC_SIGNER_SECRET_FILE: utxoSigner.secretFile,
  LTC_REPLACE_MINUTES: '1',
  DOGE_RPC_URL: dogecoin.url,
  DOGE_RPC_AUTH_FILE: dogeNode.authFile,
  DOGE_XPUB: testAccountXpub('DOGE'),
  DOGE_CHAIN: 'regtest',
  DOGE_CONFIRMATIONS: '2',
  // The proxy reports a false hash for block 0. The scanner compares the parent hash of the first block that it reads
  // with the hash of the block before, so reading from block 1 would fail. It therefore begins with block 2.
  DOGE_START_BLOCK: '2',
  DOGE_FEE_RATE: DOGECOIN.feeRate,
  DOGE_SIGNER: dogeSigner.place,
  DOGE_SIGNER_SECRET_FILE: dogeSigner.secretFile,
  DOGE_REPLACE_MINUTES: '1',
  XRP_RPC_URL: rippled.url,
  XRP_ACCOUNT: xrpSigner.signer.address,
  XRP_NETWORK_ID: String(XRP_TEST_NETWORK),
  XRP_COLD_WALLET: XRP_COLD,
  XRP_HOT_BOUNDS: XRP_BOUNDS,
  XRP_SIGNER: xrpSigner.place,
  XRP_SIGNER_SECRET_FILE: xrpSigner.secretFile,
};
/** Path of the file with the settings for commands in another terminal. */
const settingsFile = join(workFolder, 'exchange.env');
/** Milliseconds by which the clock of the exchange is behind the system clock until its first restart. */
let behindMs = process.argv.includes('--yesterday') ? ADDRESS_WAIT_MS + HOUR_MS : 0;
let server = startServer();
let isLitecoinHeld = false;
let baseFee = 0n;
const mine = async () => {
  if (baseFee > 0n) await anvil.rpc('anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`);
  await anvil.mine(1);
  await bsc.mine(1);
  tron.solidify();
  await dogeNode.mine(1);
  await (isLitecoinHeld ? litecoind.mineEmpty() : litecoind.mine(1));
  await rippled.close();
};
/** Functions that pay a coin from a cold wallet into the hot wallet, by the word after the command `refill`. */
const refills = new Map<string, (amount: string) => Promise<unknown>>([
  ['eth', (amount) => anvil.pay(cold, hot.address, units(amount, ETH_DIGITS))],
  ['usdt', (amount) => anvil.payToken(cold, token, hot.address, units(amount, USDT_DIGITS))],
  [
    'tron',
    async (amount) =>
      tron.transfer({ from: TRON_COLD, to: tronSigner.signer.address, units: units(amount, USDT_DIGITS) }),
  ],
  ['ltc', (amount) => payFromLitecoinCold(utxoSigner.signer.address, amount)],
  [
    'xrp',
    async (amount) =>
      rippled.pay({ from: XRP_COLD, to: xrpSigner.signer.address, drops: units(amount, XRP_DIGITS) }),
  ],
]);
/**
 * Functions that pay a coin from a cold wallet to a stranger, by the word after the command `lose`. For `eth` the payer
 * is the address `source` instead of the cold wallet, unless `source` is empty.
 */
const losses = new Map<string, (amount: string, source: string) => Promise<unknown>>([
  [
    'eth',
    (amount, source) =>
      anvil.payAs(source === '' ? cold.address : source, stranger.address, units(amount, ETH_DIGITS)),
  ],
  ['usdt', (amount) => anvil.payToken(cold, token, stranger.address, units(amount, USDT_DIGITS))],
  [
    'ltc',
    async (amount) =>
      payFromLitecoinCold(publicAddress(await litecoind.rpc('getnewaddress', '', 'bech32')), amount),
  ],
]);
/** Functions that execute the commands of the terminal, by the first word of a command's line. */
const acts = new Map<string, (address: string, amount: string, tag: string) => Promise<unknown>>([
  ['eth', (address, amount) => anvil.pay(outside, address, units(amount, ETH_DIGITS))],
  ['usdt', (address, amount) => anvil.payToken(outside, token, address, units(amount, USDT_DIGITS))],
  [
    'refill',
    async (coin, amount) => {
      const refill = refills.get(coin);
      if (refill === undefined)
        throw new Error(`refill needs ${[...refills.keys()].join(', ')}, and an amount`);
      return refill(amount);
    },
  ],
  ['bsc', (address, amount) => bsc.payToken(outside, bscToken, address, units(amount, BSC.digits))],
  ['tron', async (to, amount) => tron.transfer({ from: TRON_PAYER, to, units: units(amount, USDT_DIGITS) })],
  ['ltc', (address, amount) => litecoind.pay({ [address]: amount })],
  ['doge', (address, amount) => dogeNode.pay({ [address]: amount })],
  [
    'xrp',
    async (to, amount, tag) => {
      const payment = { to, drops: units(amount, XRP_DIGITS) };
      return rippled.pay(tag === '' ? payment : { ...payment, tag: Number(tag) });
    },
  ],
  ['mine', mine],
  ['reorg', () => litecoind.reorg(1)],
  [
    'inside',
    async (address, amount) => {
      const forwarder = await anvil.deploy(stranger, forwarderCode(address));
      return anvil.pay(stranger, forwarder, units(amount, ETH_DIGITS));
    },
  ],
  ['vault', () => anvil.deploy(stranger, REFUSING_CODE)],
  [
    'lose',
    async (coin, amount, source) => {
      const loss = losses.get(coin);
      if (loss === undefined) throw new Error(`lose needs ${[...losses.keys()].join(', ')}, and an amount`);
      return loss(amount, source);
    },
  ],
  [
    'fee',
    async (gwei) => {
      baseFee = units(gwei, WEI_PER_GWEI_DIGITS);
    },
  ],
  [
    'hold',
    async () => {
      isLitecoinHeld = !isLitecoinHeld;
      return isLitecoinHeld ? 'transactions of Litecoin stay out of blocks' : 'blocks have transactions';
    },
  ],
  [
    'restart',
    async (folder) => {
      if (folder !== '') dataFolder = resolve(folder);
      behindMs = 0;
      const exit = once(server, 'exit');
      server.off('exit', onExit);
      server.kill('SIGTERM');
      await exit;
      server = startServer();
    },
  ],
]);
say(
  `Blocks come every ${BLOCK_MS / 1_000} seconds. Type: eth|usdt|bsc|tron|ltc|doge ADDRESS AMOUNT, xrp ADDRESS AMOUNT TAG, refill eth|usdt|tron|ltc|xrp AMOUNT (from the cold wallet), mine, or reorg (of Litecoin). Also: inside ADDRESS AMOUNT, vault, lose eth|usdt|ltc AMOUNT [ADDRESS], fee GWEI, hold, restart [FOLDER].`,
);
say(`For npm run audit and other commands in another terminal: set -a; . ${settingsFile}; set +a`);
say(
  `For npm run compare-restore: ${[evmSigner, bscSigner, utxoSigner, dogeSigner, xrpSigner, tronSigner].map(({ folder }) => folder).join(' ')}`,
);
const timer = setInterval(() => void mine().catch((cause: unknown) => say(String(cause))), BLOCK_MS);
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [name = '', address = '', amount = '', tag = ''] = line.trim().split(/\s+/);
  const act = acts.get(name);
  if (act === undefined) {
    say(`unknown: ${name}`);
    return;
  }
  void perform(act, [address, amount, tag]);
});
process.once('SIGINT', () => void server.kill('SIGTERM'));
process.once('SIGTERM', () => void server.kill('SIGTERM'));

/**
 * Executes a command and prints its result, or `done` if it has none. An error, e.g. because of a mistyped
 * address or amount, is only printed, and the program continues.
 */
async function perform(
  act: (address: string, amount: string, tag: string) => Promise<unknown>,
  words: readonly [address: string, amount: string, tag: string],
): Promise<void> {
  try {
    const result = await act(...words);
    say(typeof result === 'string' ? result : 'done');
  } catch (cause) {
    say(String(cause));
  }
}

/** Starts the exchange on the current data folder, and writes the file with its settings. */
function startServer(): ChildProcess {
  const ofExchange: Readonly<Record<string, string>> = { ...settings, DATA_DIR: dataFolder };
  const lines = Object.entries(ofExchange).map(([name, value]) => `${name}='${value}'`);
  writeFileSync(settingsFile, `${lines.join('\n')}\n`);
  const clock = behindMs === 0 ? [] : [`--import=${lateClockModule(behindMs)}`];
  const program = ['--enable-source-maps', ...clock, join(ROOT, 'apps/server/dist/main.js')];
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...ofExchange },
  });
  child.once('exit', onExit);
  return child;
}

function onExit(): void {
  void end();
}

/**
 * Pays litecoins from the cold wallet, to which the rest returns, so that the exchange recognizes the sender.
 * Returns the transaction's id. Throws if no single output of the cold wallet is large enough.
 */
async function payFromLitecoinCold(address: string, amount: string): Promise<string> {
  const found = await litecoind.rpc<readonly { txid: string; vout: number; amount: string }[]>(
    'listunspent',
    0,
    9_999_999,
    [litecoinColdPlace],
  );
  const needed = Decimal.parse(amount);
  const source = found.find((output) => Decimal.parse(output.amount).isMore(needed));
  if (source === undefined) throw new Error(`no output of the cold wallet has more than ${amount} LTC`);
  const { txid, vout } = source;
  return litecoind.send(await litecoind.signedFrom({ txid, vout }, address, amount, litecoinColdPlace));
}

async function end(): Promise<void> {
  clearInterval(timer);
  lines.close();
  await evmSigner.close();
  await bscSigner.close();
  await utxoSigner.close();
  await dogeSigner.close();
  await xrpSigner.close();
  await tronSigner.close();
  await rippled.stop();
  await tron.stop();
  await anvil.stop();
  await bsc.stop();
  await litecoind.stop();
  await dogecoin.stop();
  await dogeNode.stop();
  rmSync(workFolder, { recursive: true, force: true });
  if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true, force: true });
  process.exit(0);
}
