import { useLayoutEffect } from 'react';
import './first-shape.css';

/** Takes the page's first shape away as soon as the component is drawn; for frames of screens and what stands in for them. */
export function useFirstShapeEnds(): void {
  useLayoutEffect(() => document.getElementById('first-shape')?.remove(), []);
}
