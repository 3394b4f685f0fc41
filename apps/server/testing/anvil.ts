import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HDNodeWallet, Mnemonic } from 'ethers';
import { TRANSFER_TOPIC } from '../src/modules/chains/evm-domain.ts';
import { transferData } from '../src/platform/signer/protocol.ts';

const BINARY = fileURLToPath(
  new URL('../../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil', import.meta.url),
);
/** The well-known test mnemonic. Its first accounts are funded on test chains. */
const PHRASE = 'test test test test test test test test test test test junk';
const LISTENING = /Listening on ([\d.]+:\d+)/;
const GAS = 300_000n;
const GWEI = 1_000_000_000n;
export const ANVIL_CHAIN = 31_337;
/** Bytecode of a contract that reverts every call, so that it accepts no ether. */
export const REFUSING_CODE = '60006000fd';

/**
 * Returns the bytecode of a contract that passes the ether it receives on to an address, from inside the
 * contract.
 */
export function forwarderCode(address: string): string {
  return `60006000600060003473${address.slice(2).toLowerCase()}5af100`;
}

/**
 * Returns and logs the reason why anvil, the local test chain, cannot run on this platform. Returns undefined if it
 * can.
 */
export function withoutAnvil(): string | undefined {
  if (existsSync(BINARY)) return undefined;
  const reason = `no test chain: there is no anvil for ${process.platform} ${process.arch}`;
  console.log(reason);
  return reason;
}

const accounts = new Map<number, HDNodeWallet>();

/** Returns an account of the test mnemonic. Derived accounts are cached, because each derivation takes long. */
export function account(index: number): HDNodeWallet {
  const derived = accounts.get(index) ?? HDNodeWallet.fromPhrase(PHRASE, '', `m/44'/60'/0'/0/${index}`);
  accounts.set(index, derived);
  return derived;
}

/**
 * Returns the extended public key for deposit addresses, at BIP-44 account 1. The funded addresses belong to
 * account 0.
 */
export function testXpub(): string {
  return HDNodeWallet.fromPhrase(PHRASE, '', DEPOSITS_PATH).neuter().extendedKey;
}

/**
 * Returns the wallet that ethers encrypts into a key file: the test mnemonic, from which the signer derives
 * the keys of deposit addresses, with the address and the private key of the mnemonic's first account, which
 * the format of the file requires.
 */
export function testDepositsAccount() {
  const { address, privateKey, path } = HDNodeWallet.fromPhrase(PHRASE, '', "m/44'/60'/0'/0/0");
  const { entropy } = Mnemonic.fromPhrase(PHRASE);
  return { address, privateKey, mnemonic: { entropy, path: path!, locale: 'en' } };
}

/** Derivation path of the extended public key `testXpub`. */
export const DEPOSITS_PATH = "m/44'/60'/1'";

/** Returns the key whose children are the keys of the deposit addresses below `testXpub`. */
export function testDepositKeys(): HDNodeWallet {
  return HDNodeWallet.fromPhrase(PHRASE, '', DEPOSITS_PATH).deriveChild(0);
}

/** A local test chain that mines blocks only on request. */
export class Anvil {
  readonly url: string;
  readonly chainId: number;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string, chainId: number) {
    this.child = child;
    this.url = url;
    this.chainId = chainId;
  }

  static async start({ chainId = ANVIL_CHAIN }: { readonly chainId?: number } = {}): Promise<Anvil> {
    const child = spawn(
      BINARY,
      ['--port', '0', '--no-mining', '--order', 'fifo', '--chain-id', String(chainId)],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    let output = '';
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const listeningAddress = LISTENING.exec(output)?.[1];
        if (listeningAddress !== undefined) resolve(listeningAddress);
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`anvil ended: ${output}`)));
    });
    return new Anvil(child, `http://${address}`, chainId);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }

  async rpc<T = string>(method: string, ...params: unknown[]): Promise<T> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async mine(blocks = 1): Promise<void> {
    await this.rpc('anvil_mine', `0x${blocks.toString(16)}`);
  }

  async height(): Promise<number> {
    return Number(await this.rpc('eth_blockNumber'));
  }

  /**
   * Replaces the newest `depth` blocks by as many empty blocks. The transactions of the replaced blocks are
   * lost.
   */
  async reorg(depth: number): Promise<void> {
    await this.rpc('anvil_reorg', depth, []);
  }

  /** Signs a transaction with an account's key and returns it serialized. */
  async signTransaction(
    from: HDNodeWallet,
    {
      to,
      value = 0n,
      data = '0x',
    }: { readonly to?: string; readonly value?: bigint; readonly data?: string },
  ): Promise<string> {
    const nonce = Number(await this.rpc('eth_getTransactionCount', from.address, 'pending'));
    return from.signTransaction({
      type: 2,
      chainId: this.chainId,
      nonce,
      value,
      data,
      gasLimit: GAS,
      maxFeePerGas: 100n * GWEI,
      maxPriorityFeePerGas: GWEI,
      ...(to === undefined ? {} : { to }),
    });
  }

  /** Sends a signed transaction and returns its hash. */
  send(raw: string): Promise<string> {
    return this.rpc('eth_sendRawTransaction', raw);
  }

  /**
   * Sends `value` wei of the chain's native coin from one account to an address. Returns the transaction's
   * id.
   */
  async pay(from: HDNodeWallet, to: string, value: bigint): Promise<string> {
    return this.send(await this.signTransaction(from, { to, value }));
  }

  /**
   * Sends `value` wei of the chain's native coin from an address without its private key, by anvil's
   * impersonation. Returns the transaction's id.
   */
  async payAs(from: string, to: string, value: bigint): Promise<string> {
    await this.rpc('anvil_impersonateAccount', from);
    const txid = await this.rpc('eth_sendTransaction', { from, to, value: `0x${value.toString(16)}` });
    await this.rpc('anvil_stopImpersonatingAccount', from);
    return txid;
  }

  async payToken(from: HDNodeWallet, token: string, to: string, units: bigint): Promise<string> {
    return this.send(await this.signTransaction(from, { to: token, data: transferData(to, units) }));
  }

  async balance(address: string): Promise<bigint> {
    return BigInt(await this.rpc('eth_getBalance', address, 'latest'));
  }

  async tokenBalance(token: string, address: string): Promise<bigint> {
    const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`;
    return BigInt(await this.rpc('eth_call', { to: token, data }, 'latest'));
  }

  /**
   * Sets an address's balance of a token from `deployToken`, in the token's smallest unit, directly in the
   * contract's storage.
   */
  async setTokenBalance(token: string, address: string, units: bigint): Promise<void> {
    const key = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
    await this.rpc('anvil_setStorageAt', token, key, `0x${units.toString(16).padStart(64, '0')}`);
  }

  /** Deploys a token whose whole supply belongs to `from`. Returns the contract's address. */
  deployToken(from: HDNodeWallet): Promise<string> {
    return this.deployed(from, tokenCode());
  }

  /** Deploys a contract with this code of at most 255 bytes, in hex, and returns its address. */
  deploy(from: HDNodeWallet, code: string): Promise<string> {
    const length = (code.length / 2).toString(16).padStart(2, '0');
    return this.deployed(from, `0x60${length}600c60003960${length}6000f3${code}`);
  }

  /**
   * Deploys a token with this name (of at most 32 bytes), symbol and decimals, whose creator is `from`. Its `transfer`
   * emits the transfer event for any amount and checks no balance, like the contract of a scam token. Returns the
   * contract's address.
   */
  deployUnlistedToken(
    from: HDNodeWallet,
    facts: { readonly name: string; readonly symbol: string; readonly digits: number },
  ): Promise<string> {
    return this.deploy(from, unlistedTokenCode(facts));
  }

  private async deployed(from: HDNodeWallet, data: string): Promise<string> {
    const txid = await this.send(await this.signTransaction(from, { data }));
    await this.mine();
    const receipt = await this.rpc<{ contractAddress: string }>('eth_getTransactionReceipt', txid);
    return receipt.contractAddress;
  }
}

/**
 * Returns the EVM code of a token with a name, a symbol and decimals, whose `transfer` only emits the
 * transfer event. Calls of other functions return 0.
 */
function unlistedTokenCode({
  name,
  symbol,
  digits,
}: {
  readonly name: string;
  readonly symbol: string;
  readonly digits: number;
}): string {
  const returnWord = '60005260206000f3';
  const bytes = (text: string) => Buffer.from(text).toString('hex').padEnd(64, '0');
  const lengthOf = (text: string) => byteText(Buffer.byteLength(text));
  const text = (value: string) => `6020600052 60${lengthOf(value)}602052 7f${bytes(value)}604052 60606000f3`;
  const functions = [
    ['313ce567', `60${byteText(digits)}${returnWord}`],
    ['06fdde03', text(name)],
    ['95d89b41', text(symbol)],
    ['a9059cbb', `602435600052600435337f${TRANSFER_TOPIC.slice(2)}60206000a36001${returnWord}`],
  ].map(([selector, code = '']) => ({ selector, code: `5b${code.replaceAll(' ', '')}` }));
  const other = `6000${returnWord}`;
  const headLength = 6 + functions.length * 10 + other.length / 2;
  let offset = headLength;
  const branches = functions.map(({ selector, code }) => {
    const branch = `8063${selector}1460${byteText(offset)}57`;
    offset += code.length / 2;
    return branch;
  });
  return `60003560e01c${branches.join('')}${other}${functions.map(({ code }) => code).join('')}`;
}

function byteText(number: number): string {
  return number.toString(16).padStart(2, '0');
}

/**
 * Returns the bytecode of a minimal token with `transfer`, `balanceOf` and the transfer event. Balances are
 * stored under their owner's address.
 */
function tokenCode(): string {
  const dispatch = (transferAt: string, balanceAt: string) =>
    `60003560e01c8063a9059cbb1460${transferAt}576370a082311460${balanceAt}57600080fd`;
  // Returns the EVM code of `transfer`, which subtracts the amount from the caller, who must have it, adds it
  // to the receiver, and emits the transfer event. `refusalAt` is the code's offset, in hex, of the refusal.
  const transfer = (refusalAt: string) =>
    `5b602435335481811060${refusalAt}57819003335560043580548201905560005260043533` +
    `7f${TRANSFER_TOPIC.slice(2)}60206000a3600160005260206000f3`;
  const refusal = '5b600080fd';
  const balance = '5b6004355460005260206000f3';
  const offsetOf = (code: string) => (code.length / 2).toString(16).padStart(2, '0');
  const [head, body] = [dispatch('00', '00'), transfer('00')];
  const refusalAt = offsetOf(head + body);
  const code =
    dispatch(offsetOf(head), offsetOf(head + body + refusal)) + transfer(refusalAt) + refusal + balance;
  const supply = `7f${(10n ** 30n).toString(16).padStart(64, '0')}3355`;
  const length = (code.length / 2).toString(16).padStart(4, '0');
  const start = `${supply}61${length}8061`;
  const ending = '6000396000f3';
  const offset = (start.length / 2 + 2 + ending.length / 2).toString(16).padStart(4, '0');
  return `0x${start}${offset}${ending}${code}`;
}
