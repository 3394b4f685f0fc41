/*
 * Translators of browsers replace text nodes by <font> elements. React keeps the nodes that it made: it would write new
 * text into a node that is on no page any more, and fail with NotFoundError where it removes such a node or inserts
 * before it, which takes the whole screen away.
 */

/** Where a translator's element stands in for a text node. */
const standIns = new WeakMap<Node, Element>();

/**
 * Keeps the page working while a browser translates it: a text that changes is put back, which the translator then
 * translates anew, and a text that goes takes its stand-in with it. Returns the way to stop.
 *
 * The whole page is observed from the start: an element's text is known only from the moment of its replacement, and
 * translators mark the page as translated after the first ones. That costs nearly nothing, because texts that change often
 * are written in place, which changes no list of children.
 */
export function followTranslation(): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- each is called with the node as `this`
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function removeTranslated<Child extends Node>(
    this: Node,
    child: Child,
  ): Child {
    removeChild.call(this, presentOf(this, child));
    return child;
  };
  Node.prototype.insertBefore = function insertBeforeTranslated<New extends Node>(
    this: Node,
    node: New,
    next: Node | null,
  ): New {
    return insertBefore.call(this, node, next === null ? null : presentOf(this, next)) as New;
  };
  const texts = new MutationObserver((changes) => {
    for (const { target } of changes) putBack(target);
  });
  const page = new MutationObserver((changes) => {
    for (const change of changes) noteStandIn(change, texts);
  });
  page.observe(document.body, { childList: true, subtree: true });
  return () => {
    page.disconnect();
    texts.disconnect();
    Object.assign(Node.prototype, { removeChild, insertBefore });
  };
}

/** The node that stands for `child` in `parent`: itself, or its stand-in. */
function presentOf(parent: Node, child: Node): Node {
  if (child.parentNode === parent) return child;
  const standIn = standIns.get(child);
  return standIn?.parentNode === parent ? standIn : child;
}

/** Notes which text a translator has just replaced, in one step or by inserting its element beside the text before. */
function noteStandIn(
  { addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord,
  texts: MutationObserver,
): void {
  for (const text of removedNodes) {
    if (!(text instanceof Text) || text.isConnected) continue;
    const standIn = [...addedNodes, previousSibling, nextSibling].find(isOfTranslator);
    if (standIn === undefined) continue;
    standIns.set(text, standIn);
    texts.observe(text, { characterData: true });
  }
}

function isOfTranslator(node: Node | null): node is Element {
  return node instanceof Element && node.localName === 'font';
}

/** Puts a text that has changed in the place of its outdated translation. */
function putBack(text: Node): void {
  const standIn = standIns.get(text);
  if (standIn === undefined || text.isConnected) return;
  standIns.delete(text);
  standIn.replaceWith(text);
}
