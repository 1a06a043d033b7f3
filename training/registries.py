"""Addresses of package registries as the installed tools are configured, so that a mirror or a proxy is respected."""
import glob
import os
import re
import subprocess
import zipfile
from functools import cache


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@cache
def npm_registry():
    return output("npm", "config", "get", "registry").strip().rstrip("/")


@cache
def debian_mirror():
    """The first address of apt's sources; DEBIAN_MIRROR where there is no apt."""
    if os.environ.get("DEBIAN_MIRROR"):
        return os.environ["DEBIAN_MIRROR"].rstrip("/")
    for file in sorted(glob.glob("/etc/apt/sources.list") + glob.glob("/etc/apt/sources.list.d/*")):
        found = re.search(r"^(?:URIs:\s*|deb (?:\[.*?\] )?)(https?://\S+)", open(file, encoding="utf8").read(), re.M)
        if found:
            return found[1].rstrip("/")
    raise SystemExit("No Debian mirror in apt's sources: set DEBIAN_MIRROR.")


@cache
def maven_repository():
    """MAVEN_REPOSITORY, else the repository that an installed Maven uses by itself: its model builder carries the address."""
    if os.environ.get("MAVEN_REPOSITORY"):
        return os.environ["MAVEN_REPOSITORY"].rstrip("/")
    home = re.search(r"^Maven home: (.+)$", output("mvn", "-version"), re.M)
    for jar in glob.glob(os.path.join(home[1], "lib", "maven-model-builder*.jar")) if home else []:
        found = re.search(r"<url>(\S+)</url>", zipfile.ZipFile(jar).read("org/apache/maven/model/pom-4.0.0.xml").decode())
        if found:
            return found[1].rstrip("/")
    raise SystemExit("No Maven here to ask: set MAVEN_REPOSITORY.")
