/** Every word of the console that does not come from the server. */
export const WORDS = {
  title: 'Amethyst operations',
  signOut: 'Sign out',
  areas: 'Areas',
  area: {
    overview: 'Overview',
    users: 'Users',
    kyc: 'Identity',
    support: 'Customer service',
    board: 'Announcements',
    house: 'House accounts',
    proposals: 'Approvals',
    audit: 'Audit log',
    operators: 'Operators',
    pairs: 'Pairs',
    sources: 'Price sources',
    assets: 'Halted assets',
    deposits: 'Deposits',
    withdrawals: 'Withdrawals',
    finance: 'Earn',
    mining: 'Mining',
    subscription: 'Launchpad',
    seconds: 'Seconds contract',
    convert: 'Convert',
    fund: 'Funds',
  } as Readonly<Record<string, string>>,
  name: 'Name',
  password: 'Password',
  code: 'Authenticator or recovery code (not needed for the demo’s ready-made accounts)',
  signIn: 'Sign in',
  setUp: 'Set up an account with a one-time code',
  setUpCode: 'One-time code',
  newPassword: 'New password, at least 12 characters',
  begin: 'Set up',
  keyFor: 'Add this key to your authenticator app, then sign in as',
  recoveryCodes:
    'Recovery codes. Each one signs you in once without your authenticator. Keep them separate from your password.',
  back: 'Back to sign-in',
  filter: 'Filter',
  narrow: 'Narrow the list',
  reload: 'Reload',
  empty: 'Nothing here yet.',
  emptyQueue: 'Nothing is waiting.',
  unmatched: 'No rows match the filter.',
  chosen: 'Selected:',
  details: 'Details',
  open: 'Open',
  actions: 'Actions',
  reason: 'Reason (kept permanently)',
  preview: 'Preview',
  changes: 'What changes',
  field: 'Field',
  now: 'Now',
  next: 'After',
  confirm: 'Confirm',
  change: 'Change',
  needsSecond: 'May need approval from a second person before it runs.',
  proposed: 'Proposed. Another operator must approve it within 24 hours.',
  done: 'Done.',
  keysHint: 'Press ? for shortcuts',
  keys: 'Shortcuts',
  shortcuts: [
    ['/', 'Search'],
    ['j', 'Next row'],
    ['k', 'Previous row'],
    ['a', 'Approve the selected row'],
    ['r', 'Reject the selected row'],
    ['?', 'Show or hide this list'],
    ['Esc', 'Close'],
  ],
  close: 'Close',
  search: 'Search users, orders, transfers, operations',
  found: 'Found',
  searching: 'Searching…',
  nothing: 'Nothing starts with that.',
  apply: 'Apply',
  more: 'Show more',
  save: 'Save as CSV',
  yes: 'Yes',
  no: 'No',
  allUsers: 'All users',
  queues: 'Queues',
  health: 'Health',
  part: 'Part',
  state: 'State',
  facts: 'Details',
  up: 'up',
  down: 'down',
  rows: 'Waiting',
  oldest: 'Oldest',
} as const;

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ...{ id: 'ID', uid: 'UID', usdt: 'USDT', mmr: 'MMR', url: 'URL', liq: 'liquidation', txid: 'TxID' },
};

/** A field's name as people read it: `sameDocument` is `Same document`, `valueUsdt` is `Value USDT`. */
export function headingOf(field: string): string {
  const words = field
    .split(/(?=[A-Z])/)
    .map((word) => ABBREVIATIONS[word.toLowerCase()] ?? word.toLowerCase());
  // Beside yes and no, what a thing is or has needs no verb.
  const text = words.join(' ').replace(/^(?:is|has) /, '');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What a list is called by its path: `/ops/kyc/submissions` is `Identity: submissions`. */
export function listName(path: string): string {
  const [area = '', ...rest] = path.replace('/ops/', '').split('/');
  const name = WORDS.area[area] ?? headingOf(area);
  return rest.length === 0 ? name : `${name}: ${rest.join(' ')}`;
}
