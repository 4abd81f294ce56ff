import { useId, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icon.tsx';

/** Takes files that are dropped on it, or chosen. */
export function DropZone({
  onFiles,
  title = 'Drop a list here, or several',
  about = 'CSV, TSV or text with any separator, or Excel (.xlsx); also packed as .gz or .zip',
  isForOne = false,
  isDisabled = false,
}: {
  /** Gets at least one. */
  onFiles: (files: readonly File[]) => void;
  title?: ComponentChildren;
  about?: string;
  /** One file takes the place of the one before. */
  isForOne?: boolean;
  isDisabled?: boolean;
}) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (given: FileList | null | undefined) => {
    const files = Array.from(given ?? []).slice(0, isForOne ? 1 : undefined);
    if (files.length > 0 && !isDisabled) onFiles(files);
  };
  return (
    <div
      class={`drop ${isOver ? 'over' : ''}`}
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
        take(event.dataTransfer?.files);
      }}
    >
      <Icon name="upload" />
      <div>
        <p class="drop-title break">{title}</p>
        <p class="soft small-text" id={`${id}-about`}>
          {about}
        </p>
      </div>
      <div>
        <input
          id={id}
          class="visually-hidden"
          type="file"
          multiple={!isForOne}
          disabled={isDisabled}
          aria-describedby={`${id}-about`}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // The same file can be chosen again after it was mended.
            currentTarget.value = '';
          }}
        />
        <label class="button" aria-disabled={isDisabled || undefined} for={id}>
          {isForOne ? 'Choose a file' : 'Choose files'}
        </label>
      </div>
    </div>
  );
}
