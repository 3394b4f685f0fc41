import type { UserId } from '@exchange/core/ids.ts';
import { isUuid } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { OperatorCall } from '../../platform/console/operation.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Database } from '../../platform/database/database.ts';
import type { SigningKey } from '../../platform/secrets/signing-key.ts';
import type { ApiKeys } from '../api-keys/index.ts';
import type { DepositsModule } from '../deposits/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Funds } from '../fund/index.ts';
import type { KycModule } from '../kyc/index.ts';
import type { Movements } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { Messages } from '../messages/index.ts';
import type { SecondsModule } from '../seconds/index.ts';
import type { SubAccounts } from '../sub-accounts/index.ts';
import type { WithdrawalsModule } from '../withdrawals/index.ts';

/** The services that the page of a user depends on. */
export interface CustomerParts {
  readonly clock: Clock;
  readonly database: Database;
  readonly identity: Identity;
  readonly apiKeys: Pick<ApiKeys, 'list' | 'revoke'>;
  readonly subAccounts: Pick<SubAccounts, 'accounts' | 'list'>;
  readonly funds: Pick<Funds, 'unitValues' | 'equityGains'>;
  readonly kyc: KycModule['kyc'];
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly messages: Pick<Messages, 'deliver' | 'latest'>;
  /** Sources of all kinds of records that the modules offer for the operators' search and timelines. */
  readonly records: readonly RecordSource[];
  /** Returns for each product how many open orders or positions the user has. */
  readonly openOf: (user: UserId) => Promise<readonly { readonly product: string; readonly open: number }[]>;
  /** Returns all products, each with its console area, code and English name. */
  readonly products: () => Promise<readonly { area: string; code: string; name: string }[]>;
  readonly movements: Pick<Movements, 'before' | 'hashesOf'>;
  /** Key with which case files are signed. */
  readonly signingKey: Pick<SigningKey, 'sign'>;
  readonly deposits: DepositsModule['deposits'];
  readonly withdrawals: WithdrawalsModule['withdrawals'];
  readonly seconds: Pick<SecondsModule['seconds'], 'voidsOf'>;
}

/** Returns the user that an operator's call names; for a sub-account its main account. Refuses an unknown user. */
export async function userOf({ identity }: Pick<CustomerParts, 'identity'>, call: OperatorCall) {
  const id = call.parameters['user'] ?? '';
  if (!isUuid(id)) throw new Refused(refusal('generic', 'l.not_found'));
  return identity.desk.require(await identity.personOf(id as UserId));
}
