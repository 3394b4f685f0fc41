import * as described from '@exchange/wire/console/treasury.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import type { Chains } from '../chains/index.ts';
import type { Market } from '../market/index.ts';

interface Parts {
  readonly watched: Chains['watched'];
  readonly market: Pick<Market, 'usdtPrice'>;
}

/**
 * Returns the operations on watched tokens: unlisted tokens whose transfers to addresses of the exchange are
 * recorded as arrivals.
 */
export function tokenOperations({ watched, market }: Parts): Operation[] {
  return [
    serveList(described.watchedTokens, async () => ({
      list: (await watched.list()).map(
        ({ network, contract, name, symbol, digits, least, shownOnDay, notShown, allowedAt, allowedBy }) => ({
          network,
          contract,
          symbol,
          name,
          digits,
          least,
          shownOnDay,
          notShown,
          allowedAt,
          allowedBy,
        }),
      ),
    })),
    serveAction(described.watchToken, {
      check: (call) => watched.check(requestOf(call)),
      warnings: async (call) => {
        const { name, symbol } = await watched.check(requestOf(call));
        const isListed = market.usdtPrice(symbol.toUpperCase()) !== undefined;
        const imitation = isListed
          ? ` ${symbol} is the name of a listed coin, and this is another contract.`
          : '';
        return [
          {
            field: 'contract',
            text: `The contract calls itself “${name}” (${symbol}). Names can lie: anybody can deploy a contract with any name.${imitation} Compare the contract with the one that its issuer publishes.`,
          },
        ];
      },
      secondPerson: {
        evidence: async (call) => {
          const { network, least } = requestOf(call);
          const { contract, name, symbol, digits } = await watched.check(requestOf(call));
          return {
            facts: {
              network,
              contract,
              symbol,
              name,
              digits,
              least,
            },
          };
        },
      },
      run: async (call) => {
        await watched.allow(requestOf(call), whyOf(call));
        return {};
      },
    }),
    serveAction(described.endTokenWatch, {
      check: (call) => watched.require(...placeOf(call)),
      run: async (call) => {
        await watched.end(...placeOf(call), whyOf(call).by);
        return {};
      },
    }),
  ];
}

function requestOf({ fields }: OperatorCall) {
  const values = new FieldValues(fields);
  return {
    network: values.text('network').trim().toUpperCase(),
    contract: values.text('contract').trim(),
    least: values.decimal('least'),
  };
}

/** Returns the network and token contract from the URL path of an operator's request. */
function placeOf({ parameters }: OperatorCall): [network: string, contract: string] {
  return [(parameters['network'] ?? '').toUpperCase(), parameters['contract'] ?? ''];
}
