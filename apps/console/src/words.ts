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
    finance: 'Finance',
    mining: 'Mining',
    subscription: 'Subscription',
    seconds: 'Seconds contract',
    convert: 'Instant exchange',
    fund: 'Funds',
  } as Readonly<Record<string, string>>,
  name: 'Name',
  password: 'Password',
  code: 'Authenticator or recovery code (none for a demo’s ready accounts)',
  signIn: 'Sign in',
  setUp: 'Set up an account with a one-time code',
  setUpCode: 'One-time code',
  newPassword: 'New password, 12 characters or more',
  begin: 'Set up',
  keyFor: 'Put this key into your authenticator app, then sign in as',
  recoveryCodes:
    'Recovery codes. Each signs you in once without your authenticator; keep them apart from your password.',
  back: 'Back to signing in',
  filter: 'Filter',
  narrow: 'Narrow the list',
  reload: 'Reload',
  empty: 'Nothing here yet.',
  emptyQueue: 'Nothing waits.',
  unmatched: 'No row matches the filter.',
  chosen: 'Chosen:',
  details: 'Details',
  open: 'Open',
  actions: 'Actions',
  reason: 'Reason, kept for ever',
  preview: 'Preview',
  changes: 'What changes',
  field: 'Field',
  now: 'Now',
  next: 'Then',
  confirm: 'Confirm',
  change: 'Change',
  needsSecond: 'May wait for a second person before it runs.',
  proposed: 'Proposed. Another operator has to approve it within 24 hours.',
  done: 'Done.',
  keysHint: 'Press ? for shortcuts',
  keys: 'Shortcuts',
  shortcuts: [
    ['/', 'Search'],
    ['j', 'Next row'],
    ['k', 'Previous row'],
    ['a', 'Approve the chosen row'],
    ['r', 'Reject the chosen row'],
    ['?', 'Show or hide this list'],
    ['Esc', 'Close'],
  ],
  close: 'Close',
  search: 'Search users, orders, transfers, operations',
  found: 'Found',
  searching: 'Searching…',
  nothing: 'Nothing begins with that.',
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
  oldest: 'Oldest for',
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
