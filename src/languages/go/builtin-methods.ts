import { wordSet } from '../name-rules.ts';

/**
 * Methods of readers, writers, connections, contexts, locks, times, values, errors, builders and the like of the
 * standard library. A call of one on a value of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'Abs Accept Add Addr After Append As Before Bool Broadcast Bytes Cancel Cause Clone Close Commit Compare Context',
  'Cookie Copy Count Date Day Deadline Decode Del Delete Dial Do Done Each Elem Encode Equal Err Error Errorf Exec',
  'Exit Fatal Fatalf Field Fields Find First Float Flush Format Get Go Grow Handle HandleFunc Has Header Hour Index',
  'Info Init Int Interface IsNil IsZero Key Keys Kind Last Len Less Listen Load LocalAddr Lock Log Logf Lookup Map',
  'Marshal Match MatchString Method Minute Name New Next Now Open Pop Post Print Printf Println Push Put Query',
  'QueryRow Range Read ReadAll ReadAt ReadByte ReadFrom ReadString RemoteAddr Remove Replace Reset Resolve RLock',
  'Round Run RUnlock Scan Second Seek Send Serve ServeHTTP Set SetDeadline Shutdown Signal Size Sleep Sort Split',
  'Start Stat Stop Store String Sub Sum Swap Sync Time Truncate Type Unix Unlock Unmarshal Unwrap Update Value',
  'Values Wait Walk With Write WriteByte WriteHeader WriteRune WriteString WriteTo Year Zero',
);
