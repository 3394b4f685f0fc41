import { operationKey, type OperationDescription } from '../operation.ts';
import * as cluster from './cluster.ts';
import * as deposits from './deposits.ts';
import * as desk from './desk.ts';
import * as figures from './figures.ts';
import * as house from './house.ts';
import * as networks from './networks.ts';
import * as operators from './operators.ts';
import * as products from './products.ts';
import { QUEUES } from './queues.ts';
import * as screening from './screening.ts';
import * as seconds from './seconds.ts';
import * as status from './status.ts';
import * as treasury from './treasury.ts';
import * as users from './users.ts';
import * as withdrawals from './withdrawals.ts';

function isDescription(value: unknown): value is OperationDescription {
  return typeof value === 'object' && value !== null && 'path' in value && 'summary' in value;
}

const MODULES = [
  cluster,
  deposits,
  desk,
  figures,
  house,
  networks,
  operators,
  products,
  screening,
  seconds,
  status,
  treasury,
  users,
  withdrawals,
];

/** All operations that the operator console can call. */
export const OPERATIONS: readonly OperationDescription[] = [
  ...MODULES.flatMap((module) => Object.values(module)),
  ...Object.values(products.finance),
  ...Object.values(products.mining),
  ...Object.values(QUEUES).flatMap((operations) => Object.values(operations)),
].filter(isDescription);

const BY_KEY: ReadonlyMap<string, OperationDescription> = new Map(
  OPERATIONS.map((operation) => [operationKey(operation), operation]),
);

/**
 * Returns the operator operation with a method and path, such as `POST /ops/fund/funds/:code`; undefined if
 * there is none, e.g. because the operation was removed.
 */
export function operationNamed(key: string): OperationDescription | undefined {
  return BY_KEY.get(key);
}
