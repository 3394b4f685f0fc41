import { Component, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
  /** Drawn instead of the children; `again` draws the children anew. */
  fallback: (error: Error, again: () => void) => ReactNode;
  /** A change of this (such as the path) draws the children anew. */
  resetKey?: string | undefined;
}

interface State {
  error: Error | null;
  resetKey: string | undefined;
}

/** Keeps a broken screen from taking the page with it. React itself writes the error to the console. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null
      ? this.props.children
      : this.props.fallback(error, () => this.setState({ error: null }));
  }
}
