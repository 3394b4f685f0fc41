import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TestExchange } from './exchange.ts';
import type { Litecoind } from './litecoind.ts';

/**
 * The node and the exchange that the helper functions use. Each function reads them at each call, because a test
 * creates them after the functions.
 */
export interface UtxoWorld {
  readonly node: Litecoind;
  readonly exchange: TestExchange;
}

/** A withdrawal with its amount in coins, not in the smallest unit, and including the fee. */
export interface TestWithdrawal {
  readonly coin: string;
  readonly owner: UserId;
  readonly amount: string | Decimal;
  readonly address: string;
}

/**
 * Returns helper functions for tests over a node of the Bitcoin family. `confirmations` is the number of
 * blocks after which a transaction counts as confirmed.
 */
export function utxoSteps(worldOf: () => UtxoWorld, confirmations: number) {
  /**
   * Runs the job that reads new blocks for deposits twice, because one run reads a bounded number of blocks.
   */
  const watch = async () => {
    const { jobs } = worldOf().exchange.doors.deposits;
    await jobs.watch();
    await jobs.watch();
  };
  const mineBlocks = async (blocks: number) => {
    await worldOf().node.mine(blocks);
    await watch();
  };
  /**
   * Processes withdrawals. It runs the job twice, because some changes of a withdrawal are possible only after those of
   * an earlier run.
   */
  const move = async () => {
    const { jobs } = worldOf().exchange.doors.withdrawals;
    await jobs.advance();
    await jobs.advance();
  };
  /**
   * Mines as many blocks as confirm all transactions sent so far, and processes the withdrawals, so that those with a
   * confirmed transaction are completed.
   */
  const finish = async () => {
    await mineBlocks(confirmations);
    await move();
  };
  /** Submits a withdrawal and approves it as two operators. Returns its id. */
  const approveWithdrawal = async ({ coin, owner, amount, address }: TestWithdrawal): Promise<string> => {
    const { withdrawals, review } = worldOf().exchange.doors.withdrawals;
    const { id } = await withdrawals.submit(owner, {
      asset: coin,
      network: coin,
      amount: Decimal.parse(amount.toString()),
      address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    await review.decide(id, 'approve', { by: 'an operator', persons: 2 });
    return id;
  };
  return { watch, mineBlocks, move, finish, approveWithdrawal };
}
