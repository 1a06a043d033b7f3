import { Component, type ComponentType, h } from 'preact';

/** Renders a component again only if one of its properties has changed. */
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
