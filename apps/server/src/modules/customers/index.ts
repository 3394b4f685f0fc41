import type { Operation } from '../../platform/console/operation.ts';
import { customerDeeds } from './deeds.ts';
import { customerLooks } from './looks.ts';
import type { CustomerParts } from './parts.ts';
import { searchOperation } from './search.ts';

export type { CustomerParts };

/**
 * customers: a user's page in the operator console. It reads through the doors of lower modules, part by part and each
 * bounded, and its deeds restrict or tell; none of them can move money, a price or an outcome.
 */
export function createCustomers(parts: CustomerParts) {
  const operations: readonly Operation[] = [
    ...customerLooks(parts),
    ...customerDeeds(parts),
    searchOperation(parts),
  ];
  return { name: 'customers', operations };
}
