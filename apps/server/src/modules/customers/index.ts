import type { Operation } from '../../platform/console/operation.ts';
import { customerActions } from './action-operations.ts';
import { customerViews } from './view-operations.ts';
import type { CustomerParts } from './parts.ts';
import { searchOperation } from './search-operations.ts';

export type { CustomerParts };

/**
 * customers: a user's page in the operator console. It reads from lower modules in bounded parts. Its actions restrict
 * accounts or send messages; none moves money or changes a price or a result.
 */
export function createCustomers(parts: CustomerParts) {
  const operations: readonly Operation[] = [
    ...customerViews(parts),
    ...customerActions(parts),
    searchOperation(parts),
  ];
  return { name: 'customers', operations };
}
