import { useId, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';

/** Takes files that are dropped on it, or chosen. */
export function DropZone({
  onFiles,
  title = 'Drop a list here, or several',
  about = 'CSV, TSV or text with any separator, or Excel (.xlsx); also packed as .gz or .zip',
}: {
  onFiles: (files: readonly File[]) => void;
  title?: string;
  about?: string;
}) {
  const id = useId();
  const [isOver, setOver] = useState(false);
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
        const files = Array.from(event.dataTransfer?.files ?? []);
        if (files.length > 0) onFiles(files);
      }}
    >
      <Icon name="upload" />
      <div>
        <p class="drop-title">{title}</p>
        <p class="soft small-text" id={`${id}-about`}>
          {about}
        </p>
      </div>
      <div>
        <input
          id={id}
          class="visually-hidden"
          type="file"
          multiple
          aria-describedby={`${id}-about`}
          onChange={({ currentTarget }) => {
            const files = Array.from(currentTarget.files ?? []);
            // The same file can be chosen again after it was mended.
            currentTarget.value = '';
            if (files.length > 0) onFiles(files);
          }}
        />
        <label class="button" for={id}>
          Choose files
        </label>
      </div>
    </div>
  );
}
