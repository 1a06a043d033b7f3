/**
 * Extensions of binary formats, whose files are skipped unopened. Other files are judged by their content. SVG counts
 * as a picture, although it is text.
 */
const BINARY = new Set(
  (
    'svg svgz png jpg jpeg gif bmp ico icns webp avif tif tiff psd ai eps heic xcf sketch fig ' +
    'mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg oga ogv aac wma mid midi ' +
    'zip gz tgz bz2 tbz xz txz zst lz4 7z rar tar jar war ear aar apk ipa dmg iso deb rpm msi cab whl egg gem ' +
    'nupkg crate ' +
    'exe dll so dylib a o obj lib pdb class pyc pyo pyd wasm bin dat elf ko beam hi node rlib rmeta ' +
    'woff woff2 ttf otf eot pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi ' +
    'db sqlite sqlite3 mdb parquet avro orc feather arrow npy npz pkl pickle h5 hdf5 onnx pt pth safetensors ' +
    'gguf tflite model ' +
    'swp swo dex nib mo gmo pack idx rdb ldb sst glb fbx blend dds ktx astc pvr unitypackage'
  ).split(' '),
);

/** The path's extension, without the dot, if it is that of a binary format; null otherwise. */
export function binaryExtension(path: string): string | null {
  const dot = path.lastIndexOf('.');
  if (dot < 0 || dot < path.lastIndexOf('/')) return null;
  const extension = path.slice(dot + 1).toLowerCase();
  return BINARY.has(extension) ? extension : null;
}
