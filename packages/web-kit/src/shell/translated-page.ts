/* Browser translators replace text nodes by <font> elements. React keeps references to its own nodes:
   updates go to detached nodes, and removing or inserting before such a node throws NotFoundError, which
   unmounts the whole screen. */

/** The translator's element that replaces a text node. */
const replacements = new WeakMap<Node, Element>();

/**
 * Keeps the page working while a browser translates it: changed texts are restored, so that the translator
 * translates them again, and removed texts take their replacement with them. Returns a function that stops
 * it. The whole page is observed from the start, because a replaced text is known only at the time of its
 * replacement, and translators mark the page only after the first ones. The cost is low: frequently changing
 * texts are updated in place, which changes no child list.
 */
export function followTranslation(): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- each is called with the node as `this`
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function removeTranslated<Child extends Node>(
    this: Node,
    child: Child,
  ): Child {
    removeChild.call(this, presentNodeOf(this, child));
    return child;
  };
  Node.prototype.insertBefore = function insertBeforeTranslated<New extends Node>(
    this: Node,
    node: New,
    next: Node | null,
  ): New {
    return insertBefore.call(this, node, next === null ? null : presentNodeOf(this, next)) as New;
  };
  const texts = new MutationObserver((changes) => {
    for (const { target } of changes) restoreText(target);
  });
  const page = new MutationObserver((changes) => {
    for (const change of changes) recordReplacement(change, texts);
  });
  page.observe(document.body, { childList: true, subtree: true });
  return () => {
    page.disconnect();
    texts.disconnect();
    Object.assign(Node.prototype, { removeChild, insertBefore });
  };
}

/** The node that represents `child` in `parent`: the node itself or its replacement. */
function presentNodeOf(parent: Node, child: Node): Node {
  if (child.parentNode === parent) return child;
  const standIn = replacements.get(child);
  return standIn?.parentNode === parent ? standIn : child;
}

/**
 * Records which text node a browser translator has just replaced, in one step or by inserting its element
 * next to the text.
 */
function recordReplacement(
  { addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord,
  texts: MutationObserver,
): void {
  for (const text of removedNodes) {
    if (!(text instanceof Text) || text.isConnected) continue;
    const standIn = [...addedNodes, previousSibling, nextSibling].find(isTranslatorElement);
    if (standIn === undefined) continue;
    replacements.set(text, standIn);
    texts.observe(text, { characterData: true });
  }
}

function isTranslatorElement(node: Node | null): node is Element {
  return node instanceof Element && node.localName === 'font';
}

/** Restores a changed text in place of its outdated translation. */
function restoreText(text: Node): void {
  const standIn = replacements.get(text);
  if (standIn === undefined || text.isConnected) return;
  replacements.delete(text);
  standIn.replaceWith(text);
}
