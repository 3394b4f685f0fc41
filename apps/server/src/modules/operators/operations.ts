import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import {
  boundedAnswer,
  ROLES,
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

interface Parts extends AuditSources {
  readonly accounts: OperatorAccounts;
  readonly invitations: Invitations;
  readonly proposals: Proposals;
}

/** Operations for proposals, the audit log and operator accounts. */
export function operatorOperations(parts: Parts): Operation[] {
  return [...proposalOperations(parts), ...auditOperations(parts), ...accountOperations(parts)];
}

function proposalOperations({ proposals }: Parts): Operation[] {
  const id = ({ parameters }: OperatorCall) => parameters['id'] ?? '';
  return [
    {
      method: 'GET',
      path: '/ops/proposals',
      isQueue: true,
      summary: 'Calls that wait for a second person, then the latest 50 that were decided.',
      roles: ROLES,
      run: async () => boundedAnswer('proposals', await proposals.list()),
    },
    {
      method: 'GET',
      path: '/ops/proposals/:id/evidence',
      summary: 'What a call that waits is about, as it is now.',
      roles: ['approver'],
      run: (call) => proposals.evidence(id(call)),
    },
    {
      method: 'POST',
      path: '/ops/proposals/:id/approve',
      summary: 'Approves a call of another operator, which then runs once.',
      roles: ['approver'],
      fields: {
        retyped: {
          label: 'The amount again, or the last four characters of the destination',
          kind: 'text',
          onlyWhere: 'movesMoney',
        },
      },
      check: (call) => proposals.requireApprovable(id(call), call),
      run: (call) => proposals.approve(id(call), call),
    },
    {
      method: 'POST',
      path: '/ops/proposals/:id/reject',
      summary: 'Rejects a call that waits, or takes one’s own back.',
      roles: ROLES,
      withoutCode: 'Nothing is done by it: what is rejected can be proposed again.',
      run: async (call) => {
        await proposals.reject(id(call), call.operator);
        return {};
      },
    },
  ];
}

/**
 * Operator accounts. Granting access or roles needs a second operator if there is one; otherwise an owner could create
 * their own approver. Disabling an operator needs only one, and enabling them again does too when no other approver is
 * left.
 */
function accountOperations({ accounts, invitations }: Parts): Operation[] {
  const secondPerson = secondPersonForAccount(accounts, { orShutOut: true });
  const roles: Operation['fields'] = { roles: { label: 'Roles', kind: 'several', choices: ROLES } };
  return [
    {
      method: 'GET',
      path: '/ops/operators',
      summary: 'Operators and their roles.',
      roles: ['auditor'],
      run: async () => ({ operators: await accounts.list() }),
    },
    {
      method: 'POST',
      path: '/ops/operators/recovery-codes',
      summary: 'Gives you ten new recovery codes, shown once; those you have are void.',
      roles: ROLES,
      run: async ({ operator }) => ({ recoveryCodes: await accounts.renewRecoveryCodes(operator.name) }),
    },
    {
      method: 'POST',
      path: '/ops/operators/:name/invite',
      summary:
        'Invites an operator, or resets one who has lost password or authenticator. A one-time code is mailed to them; nobody else sees it.',
      roles: ['owner'],
      secondPerson,
      fields: { email: { label: 'Mail address', kind: 'text' }, ...roles },
      check: invitedIn,
      run: async (call) => {
        requireOther(call);
        const invited = invitedIn(call);
        await invitations.invite(invited);
        return { name: invited.name, mailedTo: invited.email };
      },
    },
    {
      method: 'POST',
      path: '/ops/operators/:name/roles',
      summary: 'Gives an operator other roles; they have to sign in again.',
      roles: ['owner'],
      secondPerson,
      fields: roles,
      run: async (call) => {
        requireOther(call);
        await accounts.change(nameOf(call), { roles: rolesIn(call) });
        return { name: nameOf(call) };
      },
    },
    ...[true, false].map((isDisabled): Operation => ({
      method: 'POST',
      path: `/ops/operators/:name/${isDisabled ? 'disable' : 'enable'}`,
      summary: isDisabled ? 'Shuts an operator out at once.' : 'Lets an operator in again.',
      roles: ['owner'],
      ...(isDisabled ? {} : { secondPerson: secondPersonForAccount(accounts, { orShutOut: false }) }),
      run: async (call) => {
        requireOther(call);
        await accounts.change(nameOf(call), { isDisabled });
        return { name: nameOf(call), isDisabled };
      },
    })),
  ];
}

function nameOf({ parameters }: OperatorCall): string {
  return parameters['name'] ?? '';
}

/**
 * Requires a second operator if there is one. The evidence shows the account's current state beside the requested
 * change.
 */
function secondPersonForAccount(
  accounts: OperatorAccounts,
  { orShutOut }: { readonly orShutOut: boolean },
): SecondPerson {
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
