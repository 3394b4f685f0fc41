import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Address } from '@scure/btc-signer';
import { HDNodeWallet, Mnemonic } from 'ethers';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Outpoint } from '../src/modules/chains/utxo-domain.ts';
import { parseExactly } from '../src/modules/chains/utxo-node.ts';
import { UTXO_NETWORKS, type UtxoNetwork } from '@exchange/core/utxo-network.ts';
import { freePort } from './free-port.ts';

/** Address formats of the public chains of Litecoin and Dogecoin, and of Litecoin's regtest chain. */
const PUBLIC = Address(UTXO_NETWORKS.get('LTC')!.versions);
const DOGE = Address(UTXO_NETWORKS.get('DOGE')!.versions);
const REGTEST = Address({ bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef });
/** The well-known test mnemonic. Its accounts of Litecoin have no coins anywhere. */
const PHRASE = 'test test test test test test test test test test test junk';
const READY_TRIES = 600;
const READY_PAUSE_MS = 100;
/** Number of blocks after which the first block reward can be spent. */
const MATURE = 101;
/**
 * Fee in LTC of a transaction that this node's wallet signs for a test. It is higher than the fees of the wallet's own
 * transactions, so that it can replace one of them.
 */
const FEE = Decimal.parse('0.002');

/** Returns and logs the reason why litecoind cannot run on this machine; undefined if it can run. */
export function withoutLitecoind(): string | undefined {
  if (spawnSync('litecoind', ['-version'], { stdio: 'ignore' }).status === 0) return undefined;
  const reason = 'no node of Litecoin: litecoind is not installed (Debian: apt-get install litecoind)';
  console.log(reason);
  return reason;
}

/**
 * Returns the account of the test mnemonic that is the exchange's wallet of a network, by default Litecoin.
 * Only signers have its private keys.
 */
export function testAccount(code: UtxoNetwork['code'] = 'LTC'): HDNodeWallet {
  return HDNodeWallet.fromPhrase(PHRASE, '', UTXO_NETWORKS.get(code)!.path);
}

/**
 * Returns the wallet that ethers encrypts into a key file: the test mnemonic, from which `testAccount` is
 * derived, with the address and the private key of its first Ethereum account, which the format of the file
 * requires.
 */
export function testWallet() {
  const { address, privateKey, path } = HDNodeWallet.fromPhrase(PHRASE, '', "m/44'/60'/0'/0/0");
  const { entropy } = Mnemonic.fromPhrase(PHRASE);
  return { address, privateKey, mnemonic: { entropy, path: path!, locale: 'en' } };
}

/**
 * Returns the extended public key of another account of the test mnemonic, which is the exchange's cold
 * storage.
 */
export function testColdXpub(): string {
  return HDNodeWallet.fromPhrase(PHRASE, '', "m/84'/2'/1'").neuter().extendedKey;
}

/** Returns the extended public key of `testAccount`. */
export function testAccountXpub(code: UtxoNetwork['code'] = 'LTC'): string {
  return testAccount(code).neuter().extendedKey;
}

interface NodeOptions {
  /** Whether the node indexes all transactions. */
  readonly isIndexed: boolean;
  /** Whether the node accepts a transaction that replaces one in its memory pool. */
  readonly acceptsReplacements: boolean;
}

/** A Litecoin node on a regtest chain that mines only on request. The node's wallet pays as an outside user. */
export class Litecoind {
  readonly url: string;
  readonly folder: string;
  private readonly port: number;
  private options: NodeOptions;
  private child: ChildProcess | undefined;
  private miner = '';

  private constructor(folder: string, port: number, options: NodeOptions) {
    this.folder = folder;
    this.port = port;
    this.options = options;
    this.url = `http://127.0.0.1:${port}`;
  }

  /**
   * Starts a node whose wallet can spend the rewards of `rewards` blocks, 50 LTC each. By default the node indexes all
   * transactions and accepts replacements.
   */
  static async start(
    rewards = 1,
    { isIndexed = true, acceptsReplacements = true }: Partial<NodeOptions> = {},
  ): Promise<Litecoind> {
    const folder = mkdtempSync(join(tmpdir(), 'exchange-litecoin-'));
    const node = new Litecoind(folder, await freePort(), { isIndexed, acceptsReplacements });
    await node.launch();
    await node.rpc('createwallet', 'payer');
    node.miner = await node.rpc('getnewaddress', '', 'bech32');
    await node.mine(MATURE + rewards - 1);
    return node;
  }

  /** Path of the file with the node's RPC credentials, which the node writes at each start. */
  get authFile(): string {
    return join(this.folder, 'regtest', '.cookie');
  }

  /**
   * Starts the Litecoin node, or starts it again after `halt`, and waits until it answers. Throws if it ends or does
   * not answer in time. `settings` are further options of the command line.
   */
  async launch(settings: readonly string[] = []): Promise<void> {
    const { isIndexed, acceptsReplacements } = this.options;
    const child = spawn(
      'litecoind',
      [
        '-regtest',
        `-datadir=${this.folder}`,
        `-rpcport=${this.port}`,
        '-listen=0',
        `-txindex=${isIndexed ? 1 : 0}`,
        '-fallbackfee=0.0001',
        '-printtoconsole=0',
        '-dnsseed=0',
        // Extension blocks (MWEB) would activate at block 431 and need a payment into them, without which the chain
        // could not continue. This option moves the period in which miners may vote for them to the far future.
        '-vbparams=mweb:4000000000:4100000000',
        // By default this node refuses a transaction that would replace another one in its memory pool. With this
        // option it accepts the replacement.
        `-mempoolreplacement=${acceptsReplacements ? 1 : 0}`,
        // After a restart the node loads the existing wallet.
        ...(existsSync(join(this.folder, 'regtest', 'wallets', 'payer')) ? ['-wallet=payer'] : []),
        ...settings,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    this.child = child;
    for (let tries = 0; ; tries += 1) {
      const isReady = await this.rpc('getblockchaininfo').then(
        () => true,
        () => false,
      );
      if (isReady) return;
      if (child.exitCode !== null || tries === READY_TRIES) throw new Error('litecoind did not start');
      await sleep(READY_PAUSE_MS);
    }
  }

  /** Stops the Litecoin node with a normal shutdown, so that it stores its chain. `launch` starts it again. */
  halt(): Promise<void> {
    return this.end('SIGTERM');
  }

  /**
   * Restarts the Litecoin node, from now on with or without replacements of transactions in its memory pool. It keeps its
   * chain and its memory pool.
   */
  async restart(acceptsReplacements: boolean): Promise<void> {
    await this.halt();
    this.options = { isIndexed: this.options.isIndexed, acceptsReplacements };
    await this.launch();
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  async stop(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.folder, { recursive: true });
  }

  async rpc<T = string>(method: string, ...params: unknown[]): Promise<T> {
    const credentials = Buffer.from(readFileSync(this.authFile, 'utf8')).toString('base64');
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }),
    });
    // Amounts in JSON are parsed as text, so that none loses precision as a number.
    const { result, error } = parseExactly(await response.text()) as {
      result: T;
      error: { message: string } | null;
    };
    if (error !== null) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Mines blocks whose rewards go to `miner`, by default the node's own wallet. Returns their hashes. */
  mine(blocks = 1, miner = this.miner): Promise<string[]> {
    return this.rpc<string[]>('generatetoaddress', blocks, regtestAddress(miner));
  }

  /** Mines an empty block. The transactions in the node's memory pool stay there. */
  async mineEmpty(): Promise<void> {
    await this.rpc('generateblock', this.miner, []);
  }

  async height(): Promise<number> {
    return this.rpc<number>('getblockcount');
  }

  /**
   * Replaces the newest `depth` blocks by `depth + 1` blocks. The first new block contains these transactions (in hex);
   * the other transactions of the replaced blocks return to the memory pool.
   */
  async reorg(depth: number, transactions: readonly string[] = []): Promise<void> {
    const top = await this.height();
    await this.rpc('invalidateblock', await this.rpc('getblockhash', top - depth + 1));
    // The reward goes to a new address. Otherwise the new block could equal the invalidated one, which stays invalid.
    const miner = await this.rpc('getnewaddress', '', 'bech32');
    await this.rpc('generateblock', miner, transactions);
    for (let made = 0; made < depth; made += 1) await this.rpc('generateblock', miner, []);
  }

  /** Pays amounts in LTC (decimal text) to addresses in one replaceable transaction. Returns its id. */
  pay(amounts: Readonly<Record<string, string>>): Promise<string> {
    const outputs = Object.fromEntries(
      Object.entries(amounts).map(([address, amount]) => [regtestAddress(address), amount]),
    );
    return this.rpc('sendmany', '', outputs, 1, '', [], true);
  }

  /** Sends a signed transaction in hex to the node. Returns its id. */
  send(raw: string): Promise<string> {
    return this.rpc('sendrawtransaction', raw);
  }

  /**
   * Signs a payment of `amount` LTC from an output of the wallet and returns it in hex. The rest, minus
   * `FEE`, goes to the regtest address `change`, by default one of the wallet.
   */
  async signedFrom(source: Outpoint, address: string, amount: string, change = this.miner): Promise<string> {
    const { value } = await this.rpc<{ value: string }>('gettxout', source.txid, source.vout, false);
    const rest = Decimal.parse(value).minus(Decimal.parse(amount)).minus(FEE).toString();
    const outputs = [{ [regtestAddress(address)]: amount }, { [change]: rest }];
    const raw = await this.rpc('createrawtransaction', [{ ...source, sequence: 0 }], outputs);
    return (await this.rpc<{ hex: string }>('signrawtransactionwithwallet', raw)).hex;
  }

  /**
   * Pays `amount` LTC minus `FEE` to an address in a block, in a transaction of more than `bytes` bytes.
   * Nodes do not relay a transaction of more than 100,000 bytes, but a block can contain it.
   */
  async payInLarge(address: string, amount: string, bytes: number): Promise<void> {
    const source = await this.legacyOutput(amount);
    const arrives = Decimal.parse(amount).minus(FEE).toString();
    const outputs = [{ [regtestAddress(address)]: arrives }, { data: '00'.repeat(bytes) }];
    const raw = await this.rpc('createrawtransaction', [source], outputs);
    const { hex } = await this.rpc<{ hex: string }>('signrawtransactionwithwallet', raw);
    await this.rpc('generateblock', this.miner, [hex]);
  }

  /**
   * Creates a confirmed output of `amount` LTC at a legacy address of the wallet, and returns the output's
   * transaction id and index. The signature that spends it is not in the witness, so anybody can alter its
   * encoding, and with it the spending transaction's id, before that transaction is in a block.
   */
  async legacyOutput(amount: string): Promise<Outpoint> {
    const address = await this.rpc('getnewaddress', '', 'legacy');
    const txid = await this.rpc('sendtoaddress', address, amount);
    await this.mine();
    const { vout } = await this.rpc<{ vout: { n: number; value: string }[] }>(
      'getrawtransaction',
      txid,
      true,
      await this.rpc('getbestblockhash'),
    );
    return { txid, vout: vout.find(({ value }) => Decimal.parse(value).equals(Decimal.parse(amount)))!.n };
  }

  /**
   * Returns the sum of the confirmed coins that these addresses hold now, in coins, not in the smallest unit.
   */
  async received(...addresses: readonly string[]): Promise<Decimal> {
    const places = await Promise.all(
      addresses.map((address) =>
        this.rpc<{ scriptPubKey: string }>('validateaddress', regtestAddress(address)),
      ),
    );
    const { total_amount: total } = await this.rpc<{ total_amount: string }>(
      'scantxoutset',
      'start',
      places.map(({ scriptPubKey }) => `raw(${scriptPubKey})`),
    );
    return Decimal.parse(total);
  }
}

/**
 * Changes the id of a payment from a legacy output without changing its effect: the push of the first input's signature
 * is encoded with one byte more, which is valid in a block.
 */
export function malleated(raw: string): string {
  const scriptAt = 82;
  const length = Number.parseInt(raw.slice(scriptAt, scriptAt + 2), 16);
  const longer = (length + 1).toString(16).padStart(2, '0');
  return `${raw.slice(0, scriptAt)}${longer}4c${raw.slice(scriptAt + 2)}`;
}

/**
 * Converts a Litecoin address from the format of the regtest chain to that of the public chain, which the
 * exchange's settings use.
 */
export function publicAddress(address: string): string {
  return PUBLIC.encode(REGTEST.decode(address));
}

/**
 * Converts an address in the format of the public chain of Litecoin, or of Dogecoin (`D…`), to that of
 * Litecoin's regtest chain. Returns an address that already has this format (`rltc…`) unchanged.
 */
function regtestAddress(address: string): string {
  if (address.startsWith('rltc')) return address;
  return REGTEST.encode((address.startsWith('D') ? DOGE : PUBLIC).decode(address));
}
