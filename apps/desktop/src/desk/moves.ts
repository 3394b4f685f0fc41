import type { DockviewApi, DockviewGroupPanel, IDockviewPanel } from 'dockview-react';

/** Directions in which the keyboard moves a panel. */
export const DIRECTIONS = ['left', 'right', 'up', 'down'] as const;
export type MoveDirection = (typeof DIRECTIONS)[number];

/** Names of the directions in the library, beside a group and at the edge of the desk. */
const SIDES = {
  left: { beside: 'left', edge: 'left' },
  right: { beside: 'right', edge: 'right' },
  up: { beside: 'top', edge: 'above' },
  down: { beside: 'bottom', edge: 'below' },
} as const;

/**
 * Moves a panel to the far side of the neighbouring group in a direction; without a neighbour there, to that edge of
 * the desk. The only panel of a desk is not moved.
 */
export function movePanel(api: DockviewApi, panel: IDockviewPanel, direction: MoveDirection): void {
  if (api.totalPanels === 1) return;
  const neighbour = api.adjacentGroupInDirection(panel.group, direction);
  const group = api.groups.find(({ id }) => id === neighbour?.id);
  const { beside, edge } = SIDES[direction];
  if (group === undefined) panel.api.moveTo({ group: api.addGroup({ direction: edge }) });
  else panel.api.moveTo({ group, position: beside });
}

/** Changes of a panel's size by the keyboard, with the number of steps in width and height. */
export const RESIZES = {
  wider: { across: 1, down: 0 },
  narrower: { across: -1, down: 0 },
  taller: { across: 0, down: 1 },
  shorter: { across: 0, down: -1 },
} as const;
export type Resize = keyof typeof RESIZES;
/** Pixels by which one step changes a panel's width or height. */
const RESIZE_PX = 48;

/**
 * Makes a panel's group wider, narrower, taller or shorter by one step; its neighbours shrink or grow accordingly. The
 * library does not make a panel smaller than its minimum size, nor change a size that fills the desk.
 */
export function resizePanel({ group }: IDockviewPanel, resize: Resize): void {
  const { across, down } = RESIZES[resize];
  const { width, height } = group.api;
  if (across !== 0) group.api.setSize({ width: width + across * RESIZE_PX });
  else group.api.setSize({ height: height + down * RESIZE_PX });
}

/**
 * Returns the shown groups in the order of the document, which is that of Tab and of screen readers; groups
 * in windows of their own follow the ones of the page. The library places the element of each part of the
 * layout among its siblings from left to right or from top to bottom, so that this order is also the one that
 * is seen.
 */
function groupsInOrder(api: DockviewApi): DockviewGroupPanel[] {
  const shown = api.groups.filter(
    ({ api: group, activePanel }) => group.isVisible && activePanel !== undefined,
  );
  const inPage = shown.filter(({ api: group }) => group.location.type !== 'popout');
  return [...inPage.toSorted(inDocumentOrder), ...shown.filter((group) => !inPage.includes(group))];
}

function inDocumentOrder({ element }: DockviewGroupPanel, { element: other }: DockviewGroupPanel): number {
  return element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

/**
 * Moves the focus to the tab of the next group of panels in the order of `groupsInOrder`, or of the previous one if `step`
 * is -1; the first follows the last.
 */
export function focusNextGroup(api: DockviewApi, step: 1 | -1): void {
  const groups = groupsInOrder(api);
  const at = groups.findIndex((group) => group === api.activeGroup);
  const next: DockviewGroupPanel | undefined = groups[(at + step + groups.length) % groups.length];
  if (next === undefined) return;
  next.activePanel?.api.setActive();
  next.element.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
}
