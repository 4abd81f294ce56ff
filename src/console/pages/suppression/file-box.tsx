import { useId, useState } from 'preact/hooks';
import { byteText } from '../parts/amounts.ts';

/** A place to drop a file on, or to choose one. */
export function FileBox({
  file,
  onChoose,
  isDisabled,
}: {
  file: File | undefined;
  onChoose: (file: File) => void;
  isDisabled: boolean;
}) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const choose = (files: FileList | null | undefined) => {
    const [first] = files ?? [];
    if (first !== undefined && !isDisabled) onChoose(first);
  };
  return (
    <div
      class={`import-drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer?.files);
      }}
    >
      <label for={id}>
        {file === undefined ? (
          'Drop a file here, or choose one'
        ) : (
          <>
            <strong class="break">{file.name}</strong>{' '}
            <span class="soft">({byteText(file.size)})</span>
          </>
        )}
      </label>
      <input
        id={id}
        type="file"
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          choose(currentTarget.files);
        }}
      />
      <p class="soft small-text">
        CSV, a workbook, or the flat file of a registry. Every column of numbers is read.
      </p>
    </div>
  );
}
