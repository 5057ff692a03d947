// Lines and branches of classes that runs have covered: Totals CLASSES NAMES DATA, where CLASSES is a jar or a folder, NAMES
// a file with the names of those that count, and DATA what JaCoCo's agent wrote.

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.tools.ExecFileLoader;

public class Totals {
    public static void main(String[] given) throws Exception {
        ExecFileLoader loader = new ExecFileLoader();
        File data = new File(given[2]);
        Set<String> names = new HashSet<>(Files.readAllLines(Path.of(given[1])));
        if (data.exists()) loader.load(data);
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(loader.getExecutionDataStore(), builder);
        analyzer.analyzeAll(new File(given[0]));
        int lines = 0, allLines = 0, branches = 0, allBranches = 0;
        for (IClassCoverage each : builder.getClasses()) {
            if (!names.contains(each.getName().replace('/', '.'))) continue;
            lines += each.getLineCounter().getCoveredCount();
            allLines += each.getLineCounter().getTotalCount();
            branches += each.getBranchCounter().getCoveredCount();
            allBranches += each.getBranchCounter().getTotalCount();
        }
        System.out.println(lines + " " + allLines + " " + branches + " " + allBranches);
    }
}
