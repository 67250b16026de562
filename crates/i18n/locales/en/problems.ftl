# Problems
