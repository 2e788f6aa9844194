"""A list of what is in a program, in JSON of SPDX 2.3."""

import hashlib
import json
import re
import time
import uuid


def document(program, version, content, components, date):
    digest = hashlib.sha256(content).hexdigest()
    root = f"SPDXRef-Package-{program}"
    packages = [package(root, program, version, "Apache-2.0", "NOASSERTION")]
    packages[0]["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    packages[0]["packageFileName"] = program
    relationships = [related("SPDXRef-DOCUMENT", "DESCRIBES", root)]
    for c in components:
        identity = "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.]+", "-", c.name)
        packages.append(package(identity, c.name, c.version, c.licence, c.origin))
        relationships.append(related(root, "STATIC_LINK", identity))
    return json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{program}-{version}",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(date)),
            "creators": ["Tool: BoxJoint-scripts-package"],
        },
        "packages": packages,
        "hasExtractedLicensingInfos": [],
        "relationships": relationships,
    }, indent=2) + "\n"


def package(identity, name, version, licence, origin):
    result = {
        "SPDXID": identity,
        "name": name,
        "versionInfo": version,
        "downloadLocation": origin if origin.startswith("https:") else "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }
    if not origin.startswith(("https:", "NOASSERTION")):
        result["sourceInfo"] = origin
    return result


def related(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
