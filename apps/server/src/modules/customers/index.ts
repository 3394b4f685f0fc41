import type { Operation } from '../../platform/console/operation.ts';
import { customerActions } from './action-operations.ts';
import { customerViews } from './view-operations.ts';
import { noteRecords } from './notes-repository.ts';
import type { CustomerParts } from './parts.ts';
import { searchOperation } from './search-operations.ts';
import { timelineOperations } from './timeline-operations.ts';

export type { CustomerParts };

/**
 * customers: the operators' search, and the page of a user in the operator console. It reads the user's data
 * from other modules, each list page by page or with a limit. None of its operations moves money or changes a
 * price or a result.
 */
export function createCustomers(deps: CustomerParts) {
  const parts = { ...deps, records: [...deps.records, noteRecords(deps.database.reader)] };
  const operations: readonly Operation[] = [
    ...timelineOperations(parts),
    ...customerViews(parts),
    ...customerActions(parts),
    searchOperation(parts),
  ];
  return { name: 'customers', operations };
}
