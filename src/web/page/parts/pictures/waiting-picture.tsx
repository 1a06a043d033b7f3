/** The frame of a picture that is on its way, as tall as it will be. */
export function WaitingPicture({ of = '' }: { readonly of?: 'of-map' | '' }) {
  return (
    <figure class="picture-frame" aria-busy="true">
      <div class={`picture ${of}`} />
      <figcaption />
      <div class="as-text" />
    </figure>
  );
}
