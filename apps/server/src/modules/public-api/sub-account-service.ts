import { createHash } from 'node:crypto';
import { Submission, type Submissions } from '../../platform/sequencer/submission.ts';
import type { Identity } from '../identity/index.ts';
import type { SubAccount, SubAccounts, SubAccountTransfer } from '../sub-accounts/index.ts';
import type { ProgramCaller } from './handlers.ts';

export type { SubAccount, SubAccounts, SubAccountTransfer };
export type AccountNumbers = Pick<Identity, 'findUser'>;
export type TransferSubmissions = Pick<Submissions, 'serve'>;
type TransferRequest = Parameters<SubAccounts['transfer']>[1];

const OPERATION = 'subAccount.transfer';
const KEY_LENGTH = 36;

/**
 * The submission of a transfer, by which a repetition is recognized: with the same `clientTranId`, or without one with
 * the same signature.
 */
export function transferSubmission(
  { owner, signature }: ProgramCaller,
  clientTranId: string | undefined,
  { from, to, asset, amount }: TransferRequest,
): Submission {
  const name = clientTranId === undefined ? `signature ${signature}` : `name ${clientTranId}`;
  return Submission.create({
    actor: owner,
    operation: OPERATION,
    key: createHash('sha256').update(name).digest('base64url').slice(0, KEY_LENGTH),
    sent: {
      from: from ?? '',
      to: to ?? '',
      asset,
      amount: amount.toString(),
    },
  });
}
