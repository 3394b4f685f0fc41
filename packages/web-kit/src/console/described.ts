/** Re-exports the parts of the descriptions of operators' endpoints that console screens import by name. */
export { operationNamed } from '@exchange/wire/console/catalogue.ts';
export { AGE } from '@exchange/wire/console/columns.ts';
export { submission, submissions } from '@exchange/wire/console/desk.ts';
export {
  dueLiabilities,
  figureDays,
  figureMeasures,
  figureProducts,
  openStakes,
} from '@exchange/wire/console/figures.ts';
export { HEALTH_TABLES } from '@exchange/wire/console/house.ts';
export {
  approveProposal,
  checkAudit,
  decideSeveral,
  inviteOperator,
  proposalEvidence,
  proposals,
  renewRecoveryCodes,
} from '@exchange/wire/console/operators.ts';
export {
  search,
  userBalances,
  userDecisions,
  userDeposits,
  userLimits,
  userProfile,
  userSecurity,
  userWithdrawals,
} from '@exchange/wire/console/users.ts';
export { openWithdrawals } from '@exchange/wire/console/withdrawals.ts';
export type { AnsweredRow, OperationDescription, RowCondition } from '@exchange/wire/operation.ts';
