/** Stands where something will be in a moment. @param what as in "Loading the campaigns" */
export function Loading({ what }: { what: string }) {
  return (
    <p class="empty" role="status">
      Loading {what}...
    </p>
  );
}
