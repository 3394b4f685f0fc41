import { createHash } from 'node:crypto';

/**
 * Transactions of the XRP Ledger in its binary format. Amounts and fees are in drops, 10^-6 XRP. Encoding and
 * signatures are made by the ledger's official packages.
 */

/** Flag of XRP transactions whose signatures must be in canonical form. */
const FULLY_CANONICAL = 0x8000_0000;
/**
 * Maximum id of the networks whose transactions do not contain the network id. Transactions of networks with a higher
 * id contain it, so that none is valid on two networks.
 */
const OLD_NETWORK_MOST = 1_024;
/** Prefix, in hex, of the bytes that are hashed for a transaction's id: `TXN` and a zero byte. */
const ID_PREFIX = '54584e00';
const ID_BYTES = 32;

/** A payment of XRP, or a transaction that does nothing but use up the sequence number of a voided payment. */
export interface XrpTransaction {
  readonly account: string;
  readonly sequence: number;
  /** The index of the last ledger that can contain the transaction. */
  readonly lastLedger: number;
  readonly fee: bigint;
  readonly networkId: number;
  /** The payment; undefined for an `AccountSet` that changes nothing but the sequence number. */
  readonly payment:
    | {
        readonly address: string;
        readonly tag: number | undefined;
        readonly drops: bigint;
      }
    | undefined;
}

/** The keys of an account in hex: 33 bytes of the public and 32 bytes of the private key. */
export interface XrpKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface Fields {
  readonly TransactionType: string;
  readonly Account: string;
  readonly Sequence: number;
  readonly LastLedgerSequence: number;
  readonly Fee: string;
  readonly Flags: number;
  readonly SigningPubKey: string;
  NetworkID?: number;
  Destination?: string;
  DestinationTag?: number;
  Amount?: string;
  TxnSignature?: string;
}

/** Returns the address of the account of a public key (33 bytes in hex). */
export async function xrpAddressOf(publicKey: string): Promise<string> {
  const { deriveAddress } = await import('ripple-keypairs');
  return deriveAddress(publicKey.toUpperCase());
}

/** Signs a transaction. Returns its binary form in upper-case hex. */
export async function signXrpTransaction(
  transaction: XrpTransaction,
  { publicKey, privateKey }: XrpKey,
): Promise<string> {
  const [{ encode, encodeForSigning }, { sign }] = [
    await import('ripple-binary-codec'),
    await import('ripple-keypairs'),
  ];
  const fields = fieldsOf(transaction, publicKey.toUpperCase());
  // The leading zeros mark the private key as a key of secp256k1.
  const signature = sign(encodeForSigning({ ...fields }), `00${privateKey.toUpperCase()}`);
  return encode({ ...fields, TxnSignature: signature });
}

/**
 * Decodes a signed XRP payment or `AccountSet`. Throws if the transaction is of another kind, has fields that
 * `XrpTransaction` does not contain, or was not signed by its account.
 */
export async function readXrpTransaction(raw: string): Promise<XrpTransaction & { readonly txid: string }> {
  const [{ decode, encode, encodeForSigning }, { deriveAddress, verify }] = [
    await import('ripple-binary-codec'),
    await import('ripple-keypairs'),
  ];
  const fields = decode(raw) as unknown as Fields;
  const { TransactionType: type, Amount: amount, Destination: address, TxnSignature: signature } = fields;
  const isPayment = type === 'Payment' && typeof amount === 'string' && address !== undefined;
  if (!isPayment && type !== 'AccountSet') throw new Error(`a transaction of the kind ${type}`);
  const transaction: XrpTransaction = {
    account: fields.Account,
    sequence: fields.Sequence,
    lastLedger: fields.LastLedgerSequence,
    fee: BigInt(fields.Fee),
    networkId: fields.NetworkID ?? 0,
    payment: isPayment ? { address, tag: fields.DestinationTag, drops: BigInt(amount) } : undefined,
  };
  const unsigned = fieldsOf(transaction, fields.SigningPubKey);
  // A transaction with an unknown field is refused: encoding the decoded transaction again then results in
  // other bytes.
  if (signature === undefined || encode({ ...unsigned, TxnSignature: signature }) !== raw.toUpperCase())
    throw new Error('a transaction with further fields');
  if (
    deriveAddress(fields.SigningPubKey) !== transaction.account ||
    !verify(encodeForSigning({ ...unsigned }), signature, fields.SigningPubKey)
  )
    throw new Error(`a signature that is not that of ${transaction.account}`);
  return { ...transaction, txid: xrpTxid(raw) };
}

/**
 * Returns the id of a signed transaction: the first half of a SHA-512 over `ID_PREFIX` and the transaction's
 * bytes, in upper-case hex.
 */
export function xrpTxid(raw: string): string {
  const hash = createHash('sha512')
    .update(Buffer.from(`${ID_PREFIX}${raw}`, 'hex'))
    .digest();
  return hash.subarray(0, ID_BYTES).toString('hex').toUpperCase();
}

function fieldsOf(
  { account, sequence, lastLedger, fee, networkId, payment }: XrpTransaction,
  publicKey: string,
): Fields {
  const fields: Fields = {
    TransactionType: payment === undefined ? 'AccountSet' : 'Payment',
    Account: account,
    Sequence: sequence,
    LastLedgerSequence: lastLedger,
    Fee: fee.toString(),
    Flags: FULLY_CANONICAL,
    SigningPubKey: publicKey,
  };
  if (networkId > OLD_NETWORK_MOST) fields.NetworkID = networkId;
  if (payment === undefined) return fields;
  fields.Destination = payment.address;
  fields.Amount = payment.drops.toString();
  if (payment.tag !== undefined) fields.DestinationTag = payment.tag;
  return fields;
}
