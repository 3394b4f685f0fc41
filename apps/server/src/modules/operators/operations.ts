import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/operators.ts';
import {
  ROLES,
  serveAction,
  serveList,
  type EvidenceOf,
  type Operation,
  type OperatorCall,
  type Role,
  type SecondPerson,
} from '../../platform/console/operation.ts';
import type { OperatorAccounts } from './accounts.ts';
import { auditOperations, type AuditSources } from './audit-operations.ts';
import type { Invitation } from './domain.ts';
import { parseEmail, parseNewName, type Invitations } from './invitations.ts';
import type { Proposals } from './proposals.ts';
import type { SeveralDecisions } from './several-operations.ts';

interface Parts extends AuditSources {
  readonly accounts: OperatorAccounts;
  readonly invitations: Invitations;
  readonly proposals: Proposals;
  readonly several: SeveralDecisions;
}

/** The console's operations for proposals, joint confirmations, the audit log and operator accounts. */
export function operatorOperations(parts: Parts): Operation[] {
  return [
    ...proposalOperations(parts),
    severalOperation(parts),
    ...auditOperations(parts),
    ...accountOperations(parts),
  ];
}

/** The console operation that makes several decisions of one kind with one confirmation. */
function severalOperation({ several }: Parts): Operation {
  return serveAction(described.decideSeveral, {
    check: (call) => several.check(call),
    warnings: (call) => several.warnings(call),
    routine: (call) => several.routine(call),
    run: (call) => several.run(call),
  });
}

function proposalOperations({ proposals }: Parts): Operation[] {
  const id = ({ parameters }: OperatorCall) => parameters['id'] ?? '';
  return [
    serveList(described.proposals, () => proposals.list()),
    serveAction(described.proposalEvidence, { run: (call) => proposals.evidence(id(call)) }),
    serveAction(described.approveProposal, {
      check: (call) => proposals.requireApprovable(id(call), call),
      run: (call) => proposals.approve(id(call), call),
    }),
    serveList(described.scheduledCalls, () => proposals.scheduled.list()),
    serveAction(described.cancelScheduled, {
      run: async (call) => {
        await proposals.scheduled.cancel(id(call), call.operator);
        return {};
      },
    }),
    serveAction(described.rejectProposal, {
      run: async (call) => {
        await proposals.reject(id(call), call.operator);
        return {};
      },
    }),
  ];
}

/**
 * Operations on operator accounts. An invitation and a change of roles need a second operator if there is another
 * approver, even a disabled one, so that an owner cannot create their own approver. Enabling an operator needs one only
 * if another approver is active. Disabling an operator, and renewing one's own recovery codes, need none.
 */
function accountOperations({ accounts, invitations }: Parts): Operation[] {
  const secondPerson = secondPersonForAccount(accounts, { orShutOut: true });
  const setDisabled = async (call: OperatorCall, isDisabled: boolean) => {
    requireOther(call);
    await accounts.change(nameOf(call), { isDisabled });
    return { name: nameOf(call), isDisabled };
  };
  return [
    serveList(described.operators, async () => ({ list: await accounts.list() })),
    serveAction(described.renewRecoveryCodes, {
      run: async ({ operator }) => ({ recoveryCodes: await accounts.renewRecoveryCodes(operator.name) }),
    }),
    serveAction(described.inviteOperator, {
      secondPerson,
      check: invitedIn,
      run: async (call) => {
        requireOther(call);
        const invited = invitedIn(call);
        await invitations.invite(invited);
        return { name: invited.name, mailedTo: invited.email };
      },
    }),
    serveAction(described.changeRoles, {
      secondPerson,
      run: async (call) => {
        requireOther(call);
        await accounts.change(nameOf(call), { roles: rolesIn(call) });
        return { name: nameOf(call) };
      },
    }),
    serveAction(described.disableOperator, { run: (call) => setDisabled(call, true) }),
    serveAction(described.enableOperator, {
      secondPerson: secondPersonForAccount(accounts, { orShutOut: false }),
      run: (call) => setDisabled(call, false),
    }),
  ];
}

function nameOf({ parameters }: OperatorCall): string {
  return parameters['name'] ?? '';
}

/**
 * Requires a second operator for a change of an operator's account, if there is another approver; with `orShutOut`,
 * disabled approvers count too. The evidence shows the account's current state beside the requested change.
 */
function secondPersonForAccount(
  accounts: OperatorAccounts,
  { orShutOut }: { readonly orShutOut: boolean },
): SecondPerson<OperatorCall, EvidenceOf<typeof described.inviteOperator>> {
  return {
    isNeeded: ({ operator }) => accounts.hasOtherApprover(operator.name, { orShutOut }),
    evidence: async (call) => {
      const current = (await accounts.list()).find((account) => account.name === nameOf(call));
      return {
        facts: {
          name: nameOf(call),
          email: call.fields['email'] ?? current?.email,
          roles: call.fields['roles'] ?? current?.roles,
          rolesNow: current?.roles,
          emailNow: current?.email,
          isDisabled: current?.isDisabled,
        },
      };
    },
  };
}

/** Refuses changes to the caller's or approver's own account. */
function requireOther({ parameters: { name }, operator }: OperatorCall): void {
  if (name === operator.name || name === operator.approvedBy)
    throw new Refused(refusal('generic', 'l.second_person'));
}

function invitedIn(call: OperatorCall): Invitation {
  const { parameters, fields } = call;
  return {
    name: parseNewName(parameters['name'] ?? ''),
    roles: rolesIn(call),
    email: parseEmail(fields['email'] ?? ''),
  };
}

function rolesIn({ fields }: OperatorCall): Role[] {
  const names = (fields['roles'] ?? '').split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0) throw new Refused(refusal('invalidField', 'l.field_required', { field: 'roles' }));
  return names.map((name) => {
    const role = ROLES.find((candidate) => candidate === name);
    if (role === undefined) throw invalidChoice('roles', name);
    return role;
  });
}
