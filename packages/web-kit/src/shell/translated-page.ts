/* A browser's translator replaces text nodes by <font> elements. React still refers to its own text nodes: it
   updates nodes that are no longer in the document, and its attempt to remove such a node, or to insert before it,
   throws NotFoundError, which unmounts the whole screen. */

/** By text node: the <font> element with which the translator has replaced the node. */
const replacements = new WeakMap<Node, Element>();

/**
 * Keeps the page working while a browser translates it. When React changes a replaced text, the original text node is
 * put back, so that the translator translates it again; when React removes a replaced text, its <font> element is
 * removed. Returns a function that stops the observation. The whole page is observed from the start, because the
 * replacement of a text can only be seen when it happens, and translators mark the page later. The cost is low, because
 * frequently changing texts are updated in place, which changes no list of children.
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

/**
 * Returns the node that is in `parent` for `child`: `child` itself, or the <font> element that has replaced
 * it.
 */
function presentNodeOf(parent: Node, child: Node): Node {
  if (child.parentNode === parent) return child;
  const standIn = replacements.get(child);
  return standIn?.parentNode === parent ? standIn : child;
}

/**
 * Records which text node a browser's translator has just replaced: either in one step, or by inserting its <font>
 * element next to the text, which it then removes.
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

/** Puts a changed text node back in the place of its outdated translation. */
function restoreText(text: Node): void {
  const standIn = replacements.get(text);
  if (standIn === undefined || text.isConnected) return;
  replacements.delete(text);
  standIn.replaceWith(text);
}
