import { Component, type ComponentType, h } from 'preact';

/** Draws a component again only when one of its properties is another value. */
export function memo<P extends object>(Drawn: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = this.props as Record<string, unknown>;
      const after = next as Record<string, unknown>;
      return [...new Set([...Object.keys(before), ...Object.keys(after)])].some((key) => before[key] !== after[key]);
    }

    override render() {
      return h(Drawn as ComponentType<object>, this.props);
    }
  };
}
