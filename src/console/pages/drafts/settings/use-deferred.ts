import { useEffect, useState } from 'preact/hooks';

const REST_MS = 300;

/** The value once it has rested: while somebody types, nothing is asked. Compared by its text. */
export function useDeferred<T>(value: T): T {
  const [deferred, setDeferred] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setDeferred(value);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [key]);
  return deferred;
}
